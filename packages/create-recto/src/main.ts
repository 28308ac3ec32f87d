#!/usr/bin/env node
import { createInterface } from 'node:readline/promises';
import manifest from '../package.json' with { type: 'json' };
import { readAnswers } from './answers.ts';
import { install, packageManager } from './package-manager.ts';
import { projectFiles } from './project-files.ts';
import { templates } from './templates.ts';
import { writeProject } from './write-project.ts';

const help = `Creates a Recto project.

Usage: npm create recto [name] -- [options]

  name                   the folder to create, or "." for this one, if it is empty
  -t, --template <name>  what it begins with; default: ${templates[0].name}
${templates.map(({ name, description }) => `                           ${name}: ${description}\n`).join('')}  --no-install           do not install the packages
  -y, --yes              ask nothing
  -h, --help             print this help
  -V, --version          print the version

Exit codes: 0 created, 1 failed, 2 the command line is invalid
`;

process.exitCode = await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<number> {
  const terminal = process.stdin.isTTY && process.stdout.isTTY;
  const lines = terminal ? createInterface({ input: process.stdin, output: process.stdout }) : undefined;
  const answers = await readAnswers(args, lines && ((question) => lines.question(question))).finally(() =>
    lines?.close(),
  );
  switch (answers.kind) {
    case 'help':
      process.stdout.write(help);
      return 0;
    case 'version':
      process.stdout.write(`${manifest.version}\n`);
      return 0;
    case 'wrong':
    case 'refused':
      process.stderr.write(`${answers.reason}\n`);
      return answers.kind === 'wrong' ? 2 : 1;
    case 'create':
      return create(answers);
  }
}

async function create({
  folder,
  name,
  template,
  install: installs,
}: Extract<Awaited<ReturnType<typeof readAnswers>>, { readonly kind: 'create' }>): Promise<number> {
  const files = projectFiles({ name, template, version: manifest.version });
  try {
    writeProject(folder, files);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return 1;
  }
  process.stdout.write(`Created ${name} with ${Object.keys(files).length} files.\n`);
  const manager = packageManager(process.env);
  if (installs && !(await install(manager, folder))) {
    process.stderr.write(`The packages could not be installed: run "${manager} install" in ${folder}.\n`);
    return 1;
  }
  const steps = [
    ...(folder === '.' ? [] : [`cd ${folder}`]),
    ...(installs ? [] : [`${manager} install`]),
    `${manager} start`,
  ];
  process.stdout.write(`\nNext\n${steps.map((step) => `  ${step}\n`).join('')}`);
  return 0;
}
