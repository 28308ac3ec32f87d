export { type ProjectOptions, projectFiles } from './project-files.ts';
export { type ProjectName, projectName } from './project-name.ts';
export type { Template } from './template.ts';
export { findTemplate, templateNames, templates } from './templates.ts';
export { writeProject } from './write-project.ts';
