import { readdirSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'attacks');

/** Returns the attack files whose path contains one of the parts; all files without parts. */
export const findAttacks = (parts: readonly string[] = []): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && (parts.length === 0 || parts.some((part) => file.includes(part))))
    .sort((one, other) => (path.basename(one) < path.basename(other) ? -1 : 1))
    .map((file) => path.join(folder, file));
