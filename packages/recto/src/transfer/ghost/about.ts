/** Exports of Ghost, from version 0.7 on. */
export const aboutGhost = {
  format: 'ghost',
  label: 'Ghost',
  takes:
    'an export (Settings, Import/Export, Export content), or a folder with it and the folder "content" of the site',
  help: `Posts and pages become posts and pages, tags categories, and staff accounts, which keep their passwords. Posts for members become drafts.
Images come along where the folder "content" of the site is beside the export, or is named with --media.`,
} as const;
