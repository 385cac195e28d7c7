import { readdirSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'attacks');

/** The files of all attacks whose name holds one of the parts; of all, when there are no parts. */
export const findAttacks = (parts: readonly string[] = []): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && (parts.length === 0 || parts.some((part) => name.includes(part))))
    .sort()
    .map((name) => path.join(folder, name));
