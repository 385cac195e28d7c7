import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import {
  computeRoot,
  countEdges,
  EMPTY_TREE,
  growTree,
  hashOver,
  type Leaves,
  leafHash,
  listConsistencyProof,
  listInclusionPath,
  TILE_WIDTH,
  type TilePart,
  type TreeEdge,
  type TreeHash,
} from './merkle.ts';

const require = createRequire(import.meta.url);
/** Proofs are checked by the client of another log. */
const { verifyMerkleInclusion } = require('@sigstore/verify/dist/tlog/merkle.js') as {
  verifyMerkleInclusion: (entry: object, checkpoint: object) => void;
};

const sha256 = (...parts: readonly Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** Implements the definition of the standard literally. */
const defined = (leaves: readonly TreeHash[]): TreeHash => {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leaves[0] as TreeHash;
  const k = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return sha256(Buffer.of(1), defined(leaves.slice(0, k)), defined(leaves.slice(k)));
};

const SIZE = 66_000;
const all = Array.from({ length: SIZE }, (_, n) => leafHash(`event ${n}`));
const levels = new Map<number, TreeHash[]>([[0, all]]);
let tree: TreeEdge = EMPTY_TREE;
for (let at = 0; at < SIZE; ) {
  const grown = growTree(tree, all.slice(at, at + 1 + (at % 777)));
  for (const { level, index, hash } of grown.entries) {
    const entries = levels.get(level) ?? [];
    assert.equal(index, entries.length, 'entries of a level come in order');
    entries.push(hash);
    levels.set(level, entries);
  }
  at = grown.size;
  tree = grown;
}

const listHashes = ({ level, from, count }: TilePart): readonly TreeHash[] => {
  assert.equal(Math.floor(from / TILE_WIDTH), Math.floor((from + count - 1) / TILE_WIDTH), 'a part lies in one tile');
  const found = (levels.get(level) ?? []).slice(from, from + count);
  assert.equal(found.length, count);
  return found;
};
const over = (leaves: Leaves): TreeHash => hashOver(leaves, listHashes);

test('computes the root that the standard defines for a tree that grows in any portions, and for the parts of its tiles', () => {
  assert.equal(tree.size, SIZE);
  assert.equal(tree.edge.length, countEdges(SIZE));
  assert.deepEqual(computeRoot(tree), defined(all));
  for (const size of [0, 1, 2, 3, 7, 8, 255, 256, 257, 511, 65_537, SIZE])
    assert.deepEqual(over({ from: 0, to: size }), defined(all.slice(0, size)), String(size));
});

test('computes the same roots as the reference implementation of certificate transparency', () => {
  const entries = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
  const leaves = entries.map((hex) => sha256(Buffer.of(0), Buffer.from(hex, 'hex')));
  assert.equal(
    computeRoot(growTree(EMPTY_TREE, leaves)).toString('hex'),
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  );
  assert.equal(computeRoot(EMPTY_TREE).toString('hex'), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test('creates inclusion proofs that the client of another log accepts, and rejects for another leaf or size', () => {
  for (let n = 0; n < 60; n += 1) {
    const size = 1 + Math.floor(Math.random() * SIZE);
    const index = Math.floor(Math.random() * size);
    const hashes = listInclusionPath(index, { from: 0, to: size }).map(over);
    const checkpoint = { logSize: BigInt(size), logHash: over({ from: 0, to: size }) };
    const entry = { canonicalizedBody: Buffer.from(`event ${index}`), inclusionProof: { logIndex: String(index), hashes } };
    verifyMerkleInclusion(entry, checkpoint);
    assert.throws(() => verifyMerkleInclusion({ ...entry, canonicalizedBody: randomBytes(8) }, checkpoint));
  }
});

/** Checks a consistency proof by RFC 9162, section 2.1.4.2. */
const isConsistent = (first: number, second: number, proof: readonly TreeHash[], roots: readonly [TreeHash, TreeHash]): boolean => {
  const path = Number.isInteger(Math.log2(first)) ? [roots[0], ...proof] : [...proof];
  let [fn, sn] = [first - 1, second - 1];
  while (fn % 2 === 1) [fn, sn] = [(fn - 1) / 2, Math.floor(sn / 2)];
  let [fr, sr] = [path[0], path[0]] as [TreeHash, TreeHash];
  for (const c of path.slice(1)) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [sha256(Buffer.of(1), c, fr), sha256(Buffer.of(1), c, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else sr = sha256(Buffer.of(1), sr, c);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && fr.equals(roots[0]) && sr.equals(roots[1]);
};

test('creates consistency proofs that the algorithm of the standard accepts', () => {
  for (let n = 0; n < 60; n += 1) {
    const second = 2 + Math.floor(Math.random() * (SIZE - 2));
    const first = 1 + Math.floor(Math.random() * (second - 1));
    const proof = listConsistencyProof(first, { from: 0, to: second }).map(over);
    const roots = [over({ from: 0, to: first }), over({ from: 0, to: second })] as const;
    assert.ok(isConsistent(first, second, proof, roots), `${first} ${second}`);
    assert.ok(!isConsistent(first, second, proof, [randomBytes(32), roots[1]]));
  }
});
