import type { Template } from './template.ts';

export interface ProjectOptions {
  /** Also the `name` in its package.json. */
  readonly name: string;
  readonly template: Template;
  /** The version of Recto that it runs on. */
  readonly version: string;
  /** The text of recto.toml; default: a few lines to begin with. */
  readonly settings?: string;
}

/** The files of a new project, by their paths in it. */
export const projectFiles = ({
  name,
  template,
  version,
  settings = fewSettings,
}: ProjectOptions): Readonly<Record<string, string>> => ({
  ...inFolder('content-types', template.contentTypes),
  ...inFolder('roles', template.roles),
  ...inFolder('hooks', template.hooks),
  'recto.toml': settings,
  'client.ts': template.client,
  'tsconfig.json': `${JSON.stringify(typeScript, undefined, 2)}\n`,
  'package.json': `${JSON.stringify(manifest(name, template, version), undefined, 2)}\n`,
  '.gitignore': '# The database, files and the secret that signs tokens.\n/data/\nnode_modules/\n.env\n',
  'README.md': readme(name, template),
});

const inFolder = (folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text]));

/** For editors, which check hooks, routes, jobs and the client with it. The runtime itself needs none. */
const typeScript = {
  compilerOptions: {
    target: 'esnext',
    module: 'preserve',
    lib: ['esnext', 'dom', 'dom.iterable'],
    strict: true,
    skipLibCheck: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  },
};

const manifest = (name: string, { scripts }: Template, version: string): object => ({
  name,
  version: '0.0.0',
  private: true,
  type: 'module',
  engines: { node: '>=20' },
  scripts: {
    start: 'recto start',
    dev: 'recto dev',
    check: 'recto check',
    types: 'recto types --client --out content.ts && recto types --hooks --out recto.d.ts',
    client: 'npm run types && bun client.ts',
    ...scripts,
  },
  dependencies: { '@recto/client': version, recto: version },
  // Puts the runtime's binary in its place.
  allowScripts: { bun: true },
});

const fewSettings = `# Settings of this project. A variable in the environment, such as RECTO_PORT, wins over a line here.
# "npx recto help" lists all of them.

# The port of the service.
# port = 9898

# Where the database and uploaded files are.
# data_dir = "data"

# "info" logs the start and failures, "debug" every request.
# log_level = "info"
`;

const readme = (name: string, { readme: more }: Template): string => `# ${name}

A [Recto](https://www.npmjs.com/package/recto) project. \`content-types/\` says what there is, \`recto.toml\` how it is served,
and \`data/\` holds what is stored. Files in \`roles/\` are roles of your own. TypeScript files in \`hooks/\`, \`routes/\` and \`jobs/\` are code of your own: they take part in writes, answer
requests and run at times.

| Command | What it does |
|---|---|
| \`npm start\` | serves the API and the admin; the first start prints the admin's password |
| \`npm run dev\` | the same, and reads content types, roles, hooks, routes and jobs anew when their files change |
| \`npm run check\` | lists what is wrong with the settings, the content types, the roles and the code |
| \`npm run types\` | writes the types of the content: \`content.ts\` for the client, \`recto.d.ts\` for hooks, routes and jobs |
| \`npm run client\` | runs \`client.ts\`, an example of the typed client, while the service runs |
| \`npx recto help\` | lists all commands |

The documentation is in \`node_modules/recto/docs/\`; \`getting-started.md\` is its first page.

Without npm, \`recto start\` and \`recto check\` of the executable do the same.
${more}`;
