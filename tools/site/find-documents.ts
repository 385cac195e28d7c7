import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const FOLDERS = ['docs', 'deploy', 'packages', 'sdks'];
const AT_ROOT = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const IGNORED = /(^|\/)(node_modules|\.cache|dist|\.data)(\/|$)/;

/** Lists the paths of all Markdown documents of the project, from its root. */
export const findDocuments = (root: string): readonly string[] => [
  ...AT_ROOT.filter((name) => existsSync(path.join(root, name))),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => path.posix.join(folder, name))
      .filter((name) => name.endsWith('.md') && !IGNORED.test(name)),
  ).toSorted(),
];
