import { hash } from 'node:crypto';

/** A Merkle tree hash [RFC 6962, section 2.1], SHA-256. */
export type TreeHash = Buffer;

const LEAF = '\u0000';
const NODE = 1;
/** The height of the subtree in one tile [C2SP tlog-tiles]. */
const TILE_HEIGHT = 8;
export const TILE_WIDTH = 2 ** TILE_HEIGHT;
export const HASH_BYTES = 32;

/** Text input, one byte per character: conversion to a buffer first would cost three times as much as the hash of a node. */
const sha256 = (bytes: Buffer | string): TreeHash => Buffer.from(hash('sha256', bytes, 'binary'), 'binary');

export const leafHash = (entry: string): TreeHash => sha256(LEAF + entry);

/** The same in hex. */
export const leafDigits = (entry: string): string => hash('sha256', LEAF + entry, 'hex');

/** Reused for each node, and read before the next. */
const joint = Buffer.alloc(1 + 2 * HASH_BYTES, NODE);

const nodeHash = (left: TreeHash, right: TreeHash): TreeHash => {
  joint.set(left, 1);
  joint.set(right, 1 + HASH_BYTES);
  return sha256(joint);
};

const EMPTY_ROOT: TreeHash = sha256(Buffer.alloc(0));

/** The right edge of a tree, enough to grow it: its size and the roots of its complete subtrees, the largest first. */
export type TreeEdge = { readonly size: number; readonly edge: readonly TreeHash[] };

export const EMPTY_TREE: TreeEdge = { size: 0, edge: [] };

/** A hash of a level of tiles above the leaves, by its position in that level. */
export type TileEntry = { readonly level: number; readonly index: number; readonly hash: TreeHash };

/** Appends leaves to a tree, and returns the hashes of the tiles that this completes. */
export const growTree = (tree: TreeEdge, leaves: readonly TreeHash[]): TreeEdge & { readonly entries: readonly TileEntry[] } => {
  const edge = [...tree.edge];
  const entries: TileEntry[] = [];
  let { size } = tree;
  for (const leaf of leaves) {
    let node = leaf;
    let at = size;
    for (let height = 1; at % 2 === 1; height += 1) {
      node = nodeHash(edge.pop() as TreeHash, node);
      at = (at - 1) / 2;
      if (height % TILE_HEIGHT === 0) entries.push({ level: height / TILE_HEIGHT, index: at, hash: node });
    }
    edge.push(node);
    size += 1;
  }
  return { size, edge, entries };
};

export const computeRoot = ({ edge }: TreeEdge): TreeHash =>
  edge.length === 0 ? EMPTY_ROOT : edge.reduceRight((right, left) => nodeHash(left, right));

/** Returns the number of complete subtrees in a tree of this size: the one bits of the size. */
export const countEdges = (size: number): number => [...size.toString(2)].filter((digit) => digit === '1').length;

/** Leaves from `from` up to `to`, exclusive. */
export type Leaves = { readonly from: number; readonly to: number };

/** A complete subtree, as hashes that are adjacent in one tile. */
export type TilePart = { readonly level: number; readonly from: number; readonly count: number };

const largestBelow = (count: number): number => {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
};

const isWhole = ({ from, to }: Leaves): boolean => {
  const height = Math.log2(to - from);
  return Number.isInteger(height) && from % (to - from) === 0;
};

const split = ({ from, to }: Leaves): readonly [Leaves, Leaves] => {
  const middle = from + largestBelow(to - from);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
};

const getPart = ({ from, to }: Leaves): TilePart => {
  const height = Math.log2(to - from);
  const level = Math.floor(height / TILE_HEIGHT);
  const width = 2 ** (level * TILE_HEIGHT);
  return { level, from: from / width, count: (to - from) / width };
};

/** Returns the parts of tiles that the hash over these leaves consists of, from left to right. */
export const listTileParts = (leaves: Leaves): readonly TilePart[] =>
  isWhole(leaves) ? [getPart(leaves)] : split(leaves).flatMap(listTileParts);

/** Returns the largest subtrees of a tree of `size` leaves without any of these leaves, from left to right. */
export const listOutsideRanges = (leaves: Leaves, size: number): readonly Leaves[] => {
  const walk = (part: Leaves): readonly Leaves[] => {
    if (part.from >= leaves.to || part.to <= leaves.from) return [part];
    if (part.from >= leaves.from && part.to <= leaves.to) return [];
    return split(part).flatMap(walk);
  };
  return size === 0 ? [] : walk({ from: 0, to: size });
};

/** Returns the root over adjacent hashes. */
const foldHashes = (hashes: readonly TreeHash[]): TreeHash => computeRoot(growTree(EMPTY_TREE, hashes));

/** Returns the hash over leaves, from the hashes in its parts of tiles. */
export const hashOver = (leaves: Leaves, hashesOf: (part: TilePart) => readonly TreeHash[]): TreeHash => {
  if (leaves.from === leaves.to) return EMPTY_ROOT;
  if (isWhole(leaves)) return foldHashes(hashesOf(getPart(leaves)));
  const [left, right] = split(leaves);
  return nodeHash(hashOver(left, hashesOf), hashOver(right, hashesOf));
};

/** Returns the siblings of a leaf up to the root [RFC 6962, 2.1.1: inclusion proof], from the leaf upwards. */
export const listInclusionPath = (index: number, leaves: Leaves): readonly Leaves[] => {
  if (leaves.to - leaves.from === 1) return [];
  const [left, right] = split(leaves);
  return index < left.to ? [...listInclusionPath(index, left), right] : [...listInclusionPath(index, right), left];
};

/** Returns the root computed from a leaf and its audit path [RFC 9162, 2.1.3.2]; undefined if the path is invalid. */
export const rootByInclusion = (index: number, size: number, leaf: TreeHash, path: readonly TreeHash[]): TreeHash | undefined => {
  let [at, last, hash] = [index, size - 1, leaf];
  for (const beside of path) {
    if (last === 0) return undefined;
    const isRight = at % 2 === 1 || at === last;
    hash = isRight ? nodeHash(beside, hash) : nodeHash(hash, beside);
    while (isRight && at % 2 === 0 && at !== 0) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : undefined;
};

/** Returns the proof that a tree of `first` leaves is a prefix of a larger one [RFC 6962, 2.1.2: consistency proof]. */
export const listConsistencyProof = (first: number, leaves: Leaves, isFirst = true): readonly Leaves[] => {
  if (first === leaves.to) return isFirst ? [] : [leaves];
  const [left, right] = split(leaves);
  return first <= left.to ? [...listConsistencyProof(first, left, isFirst), right] : [...listConsistencyProof(first, right, false), left];
};
