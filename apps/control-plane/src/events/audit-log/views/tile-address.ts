import { TILE_WIDTH, type TilePart } from '@svc/keyring/log/merkle.ts';

const LEVEL = /^(0|[1-9]|[1-5][0-9]|6[0-3])$/;
const FORM = /^((?:x[0-9]{3}\/){0,2})([0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;

/** Parses a C2SP tlog-tiles path: `x001/234`, or `x001/234.p/17` for a partial tile; undefined if it is invalid. */
export const readTileAddress = (level: string, path: string): TilePart | undefined => {
  const [, thousands = '', last, width] = FORM.exec(path) ?? [];
  const count = width === undefined ? TILE_WIDTH : Number(width);
  // A number has no leading groups of zeros, and the width of a full tile is omitted.
  if (last === undefined || !LEVEL.test(level) || thousands.startsWith('x000') || (width !== undefined && count >= TILE_WIDTH))
    return undefined;
  const tile = Number(`${thousands.replace(/[x/]/g, '')}${last}`);
  return { level: Number(level), from: tile * TILE_WIDTH, count };
};
