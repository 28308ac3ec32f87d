export { type ProjectName, projectName } from './project-name.ts';
