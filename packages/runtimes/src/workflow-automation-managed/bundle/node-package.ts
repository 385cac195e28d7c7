import { readFileSync } from 'node:fs';
import path from 'node:path';
import { digestBytes, digestText } from '../../digest/digest.ts';

const NAME = 'n8n-nodes-svc-governance';
const BLOCK_BYTES = 512;

type Built = { readonly version: string; readonly files: readonly { readonly path: string; readonly content: string }[] };

let read: Built | undefined;

/** Returns the built files of the governed node, sorted by path. */
const builtPackage = (): Built => {
  read ??= JSON.parse(readFileSync(path.join(import.meta.dirname, 'node-package.json'), 'utf8')) as Built;
  return read;
};

/** A header of the format ustar (POSIX.1-1988), without owner and time, so that the same files give the same bytes. */
const header = (name: string, size: number): Buffer => {
  const block = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;
  block.write(name, 0, 100, 'utf8');
  block.write(octal(0o644, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(0, 12), 136);
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
};

let packed: { readonly path: string; readonly content: string; readonly sha256: string } | undefined;

/** Returns the package of the governed node as a tar archive in base64, with the SHA-256 of its bytes. */
export const nodePackageArchive = (): NonNullable<typeof packed> => {
  if (packed === undefined) {
    const { version, files } = builtPackage();
    const parts = files.flatMap(({ path: name, content }) => {
      const bytes = Buffer.from(content, 'utf8');
      return [header(`${NAME}/${name}`, bytes.length), bytes, Buffer.alloc(-bytes.length & (BLOCK_BYTES - 1))];
    });
    const bytes = Buffer.concat([...parts, Buffer.alloc(2 * BLOCK_BYTES)]);
    packed = { path: `${NAME}-${version}.tar`, content: bytes.toString('base64'), sha256: digestBytes(bytes) };
  }
  return packed;
};

let digest: string | undefined;

/** Returns the SHA-256 that the hook file reports for an installation of exactly these files. */
export const nodePackageDigest = (): string => {
  digest ??= digestText(
    builtPackage()
      .files.map(({ path: name, content }) => `${digestText(content)}  ${name}\n`)
      .join(''),
  );
  return digest;
};
