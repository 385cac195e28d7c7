import { newAmounts } from './amounts.ts';
import type { Baseline } from './baseline.ts';
import type { Bloom } from './bloom.ts';
import { type Conduct, HABITS, NETWORKS_KEPT, newConduct, REFUSED_KEPT, TOOLS_WITH_AMOUNTS } from './conduct.ts';
import type { Mark } from './mark.ts';

const VERSION = 1;
/** Size of an encoded history in bytes: constant for any agent. */
export const CONDUCT_BYTES = 1_996;

type Tape = { readonly view: DataView; readonly bytes: Uint8Array; at: number };

const getTape = (bytes: Uint8Array): Tape => ({ view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), bytes, at: 0 });

/** Codec of one member: written from a conduct, or read into one. Both directions are one list, so they cannot differ. */
type Codec = {
  readonly u8: (value: number) => number;
  readonly u32: (value: number) => number;
  readonly f32: (value: number) => number;
  readonly f64: (value: number) => number;
  readonly raw: (bytes: Uint8Array) => void;
};

/** The position before a member, which the tape then goes past. */
const pass = (tape: Tape, bytes: number): number => {
  const { at } = tape;
  tape.at = at + bytes;
  return at;
};

const newWriter = (tape: Tape): Codec => {
  const { view } = tape;
  return {
    u8: (value) => {
      view.setUint8(pass(tape, 1), Math.min(255, value));
      return value;
    },
    u32: (value) => {
      view.setUint32(pass(tape, 4), Math.min(0xff_ff_ff_ff, value));
      return value;
    },
    f32: (value) => {
      view.setFloat32(pass(tape, 4), value);
      return value;
    },
    f64: (value) => {
      view.setFloat64(pass(tape, 8), value);
      return value;
    },
    raw: (bytes) => tape.bytes.set(bytes, pass(tape, bytes.length)),
  };
};

const newReader = (tape: Tape): Codec => {
  const { view } = tape;
  return {
    u8: () => view.getUint8(pass(tape, 1)),
    u32: () => view.getUint32(pass(tape, 4)),
    f32: () => view.getFloat32(pass(tape, 4)),
    f64: () => view.getFloat64(pass(tape, 8)),
    raw: (bytes) => {
      const at = pass(tape, bytes.length);
      bytes.set(tape.bytes.subarray(at, at + bytes.length));
    },
  };
};

const onWords = (codec: Codec, words: Uint16Array): void => codec.raw(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));

const onBloom = (codec: Codec, bloom: Bloom): void => {
  codec.raw(bloom.older);
  codec.raw(bloom.newer);
  bloom.since = codec.f64(bloom.since);
};

const onBaseline = (codec: Codec, baseline: Baseline): void => {
  baseline.slot = codec.u32(baseline.slot);
  baseline.count = codec.u32(baseline.count);
  baseline.mean = codec.f32(baseline.mean);
  baseline.variance = codec.f32(baseline.variance);
  baseline.slots = codec.u32(baseline.slots);
};

const NO_MARK: Mark = [0, 0];
const onMark = (codec: Codec, mark: Mark = NO_MARK): Mark => [codec.u32(mark[0]), codec.u32(mark[1])];

const onLists = (codec: Codec, conduct: Conduct): void => {
  const networks = codec.u8(conduct.networks.length);
  conduct.networks = Array.from({ length: NETWORKS_KEPT }, (_, index) => onMark(codec, conduct.networks[index])).slice(0, networks);
  const refused = codec.u8(conduct.refusedNames.length);
  conduct.refusedNames = Array.from({ length: REFUSED_KEPT }, (_, index) => {
    const { word = 0, at = 0 } = conduct.refusedNames[index] ?? {};
    return { word: codec.u32(word), at: codec.u32(at) };
  }).slice(0, refused);
  const tools = codec.u8(conduct.toolAmounts.length);
  const known = [...conduct.toolAmounts];
  conduct.toolAmounts.length = 0;
  for (let index = 0; index < TOOLS_WITH_AMOUNTS; index += 1) {
    const tool = known[index] ?? { mark: NO_MARK, uses: 0, amounts: newAmounts() };
    const read = { mark: onMark(codec, tool.mark), uses: codec.u32(tool.uses), amounts: tool.amounts };
    onWords(codec, read.amounts);
    if (index < tools) conduct.toolAmounts.push(read);
  }
};

const onRisk = (codec: Codec, conduct: Conduct): void => {
  for (const habit of HABITS) conduct.habits[habit] = codec.f32(conduct.habits[habit]);
  for (const family of conduct.families) {
    family.points = codec.u8(family.points);
    family.at = codec.u32(family.at);
  }
  conduct.armed = codec.u8(conduct.armed ? 1 : 0) === 1;
  conduct.toldRisk = codec.u8(conduct.toldRisk);
  conduct.toldAt = codec.u32(conduct.toldAt);
  conduct.lowSince = codec.u32(conduct.lowSince);
};

const onConduct = (codec: Codec, conduct: Conduct): void => {
  conduct.permitted = codec.u32(conduct.permitted);
  conduct.refused = codec.u32(conduct.refused);
  conduct.firstAt = codec.f64(conduct.firstAt);
  conduct.lastAt = codec.f64(conduct.lastAt);
  onBloom(codec, conduct.tools);
  onBloom(codec, conduct.destinations);
  onWords(codec, conduct.amounts);
  for (const baseline of [conduct.calls, conduct.contexts, conduct.records]) onBaseline(codec, baseline);
  codec.raw(conduct.registers);
  codec.raw(new Uint8Array(conduct.hours.buffer));
  conduct.refusedInRow = codec.u32(conduct.refusedInRow);
  onLists(codec, conduct);
  onRisk(codec, conduct);
};

export const encodeConduct = (conduct: Conduct): Uint8Array => {
  const tape = getTape(new Uint8Array(CONDUCT_BYTES));
  const codec = newWriter(tape);
  codec.u8(VERSION);
  onConduct(codec, conduct);
  return tape.bytes;
};

/** Returns undefined for bytes that `encodeConduct` did not write: the agent then has no history. */
export const decodeConduct = (bytes: Uint8Array): Conduct | undefined => {
  if (bytes.length !== CONDUCT_BYTES || bytes[0] !== VERSION) return undefined;
  const conduct = newConduct();
  const codec = newReader(getTape(bytes));
  codec.u8(0);
  onConduct(codec, conduct);
  return conduct;
};
