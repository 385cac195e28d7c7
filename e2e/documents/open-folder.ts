import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const NOT_SEEN = new Set(['.data', '.git', '.cache']);

export type Folder = { readonly folder: string; readonly remove: () => void };

/** Opens the project's folder as a fresh checkout, without generated files. */
export const openFolder = (): Folder => {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-documents-'));
  for (const name of readdirSync(root)) if (!NOT_SEEN.has(name)) symlinkSync(path.join(root, name), path.join(folder, name));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
