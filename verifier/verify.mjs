#!/usr/bin/env node
// Checks an export of an audit record, or the receipt of a decision, without the service that made it: Node alone, nothing installed.
//
//   node verify.mjs export.jsonl --key 'svc-audit-log/…+…+…' [--checkpoint note.txt] [--seen older-notes.txt] [--witness key] [--from n] [--part]
//   node verify.mjs --receipt receipt.jws --key 'svc-audit-log/…+…+…' [--record answer.json]
//
// The key is what `GET /v1/audit-log` tells as `verifier_key`: get it once, by a way that you trust, and keep it. It names the log, and so the
// organization, that a checkpoint has to be of. `--key` may be given several times, for keys that were in use one after the other, and so may
// `--seen`, for files of checkpoints that were seen before or anchored elsewhere, be it those of many logs.
//
// An export is a file of JSON lines: events as the service tells them, in the order of their `sequence`; `{"tile":{"from":n,"hashes":"…"}}` with
// the hashes of the leaves from n on; and `{"manifest":{…}}` at its end, with the checkpoint. Nothing of it is believed but what follows from
// the signature of the checkpoint: the hashes of all leaves come to the root that is signed (RFC 6962), and each event to the hash of its leaf.
//
// An export with records has `{"record":{…}}` lines: the rows that events cover, whose digests are compared with those in the events. `--record` is
// the answer of `GET /v1/actions/{actionId}/receipt`, whose documents are compared with the digests in the receipt.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, realpathSync } from 'node:fs';

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const numbers = (list) => (list.length > 8 ? `${list.slice(0, 8).join(', ')} and ${list.length - 8} more` : list.join(', '));

/** JSON in its canonical form (RFC 8785). */
const canonical = (value) => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
};

/** The digest of a document of a record. */
const digestDocument = (document) => sha256(canonical(document)).toString('hex');
/** Kinds of records: the digests that cover one, and the record that an event is about. */
const RECORDS = {
  action: {
    digests: ['decision_digest', 'outcome_digest'],
    idOf: ({ subject, data }) => (subject?.type === 'action' ? subject.id : data?.action_id),
  },
};
/** The digests in an event, each with the record and its revision; none in an event of a release that wrote none. */
const coversOf = (event) => [
  ...Object.entries(RECORDS).flatMap(([type, { digests, idOf }]) =>
    digests
      .filter((digest) => typeof event.data?.[digest] === 'string')
      .map((digest) => ({
        type,
        id: String(idOf(event)),
        digest,
        value: event.data[digest],
        revision: Number(event.data.digest_revision),
      })),
  ),
  // Every other kind is covered as a whole, by an entry that names it.
  ...(Array.isArray(event.data?.record_digests) ? event.data.record_digests : [])
    .filter((entry) => typeof entry?.digest === 'string')
    .map(({ type, id, digest: value, digest_revision }) => ({
      ...{ type: String(type), id: String(id), digest: 'row_digest', value, revision: Number(digest_revision) },
    })),
];

/** The leaf of an event: all it says but its own place. */
const leafOf = ({ sequence: _, ...said }) => sha256(Buffer.of(0), canonical(said));
const nodeOf = (left, right) => sha256(Buffer.of(1), left, right);

const idOf = (name, raw) => sha256(`${name}\n`, raw).subarray(0, 4).toString('hex');
/** A key as `name+id+base64`, of Ed25519 alone: of a log (1), or of a witness (4). */
export const readKey = (text, kind = 1) => {
  const [, name, id, encoded] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text.trim()) ?? [];
  const raw = Buffer.from(encoded ?? '', 'base64');
  if (raw.length !== 33 || raw[0] !== kind || idOf(name, raw) !== id)
    throw new Error('The key is not one, or was copied wrongly: give the verifier_key of the log, name+id+base64.');
  const key = { kty: 'OKP', crv: 'Ed25519', x: raw.subarray(1).toString('base64url') };
  return { name, id, kind, raw, key: createPublicKey({ format: 'jwk', key }) };
};
/** Lines of a note that are read for signatures. */
const SIGNATURES_MAX = 64;
/** Whether a note is signed by a key: of a log, or of a witness, which says when it saw the note (C2SP tlog-cosignature). */
const isSignedBy = (note, { name, id, key, kind }) => {
  const end = note.lastIndexOf('\n\n') + 1;
  // One signature for each key and witness: a note with thousands would be checked for minutes.
  const lines = note.slice(end).split('\n', SIGNATURES_MAX + 1);
  return lines.some((line) => {
    const bytes = Buffer.from(line.startsWith(`— ${name} `) ? line.slice(name.length + 3) : '', 'base64');
    if (bytes.length !== (kind === 4 ? 76 : 68) || bytes.subarray(0, 4).toString('hex') !== id) return false;
    const before = kind === 4 ? `cosignature/v1\ntime ${bytes.readBigUInt64BE(4)}\n` : '';
    return verify(null, Buffer.from(before + note.slice(0, end)), key, bytes.subarray(-64));
  });
};

/** What a checkpoint says, where one of the keys has signed it; otherwise why it is not believed. */
const openCheckpoint = (note, keys) => {
  const body = note.slice(0, note.lastIndexOf('\n\n') + 1);
  const [, origin, size, root] = /^([^\n]+)\n(0|[1-9]\d{0,14})\n([A-Za-z0-9+/]{43}=)\n(?:(?:kept|after) [^\n]+\n)?$/.exec(body) ?? [];
  if (origin === undefined) return { fault: 'The checkpoint has not the form of one.' };
  const mine = keys.filter(({ name }) => name === origin);
  if (mine.length === 0) return { fault: `The checkpoint is of another log, ${origin}: the key is for ${keys.map(({ name }) => name)}.` };
  if (!mine.some((key) => isSignedBy(note, key)))
    return { fault: 'The checkpoint is not signed by the key that was given: it was changed, or signed by another.' };
  return { origin, size: Number(size), root: Buffer.from(root, 'base64') };
};

/** Of how many leaves, from the first on, events may be missing since retention removed them: signed under that name, of no later log than this. */
const openRemoval = (note, { origin, size }, keys, known) => {
  const [name, leaves] = /^[^\n]+\/retention\/([1-9]\d{0,14})(?=\n)/.exec(note) ?? [];
  const mine = keys.filter((key) => key.name === origin).map((key) => ({ ...key, name, id: idOf(name, key.raw) }));
  const said = openCheckpoint(note, mine);
  const isOurs = name === `${origin}/retention/${leaves}` && said.fault === undefined && Number(leaves) <= said.size && said.size <= size;
  return isOurs && hashOver(0, said.size, known)?.equals(said.root) !== false ? Number(leaves) : 0;
};
const largestBelow = (count, power = 1) => (power * 2 < count ? largestBelow(count, power * 2) : power);
/** The hash over leaves from one up to another; `known` has those of leaves, and of whole subtrees under "from-to". Undefined where one is missing. */
const hashOver = (from, to, known) => {
  const found = known.get(to - from === 1 ? from : `${from}-${to}`);
  if (found !== undefined || to - from <= 1) return found ?? (to === from ? sha256() : undefined);
  const middle = from + largestBelow(to - from);
  const left = hashOver(from, middle, known);
  const right = left && hashOver(middle, to, known);
  const hash = right && nodeOf(left, right);
  if (hash !== undefined && to - from >= 256) known.set(`${from}-${to}`, hash);
  return hash;
};

/** The root that a leaf comes to by what lies beside its way (RFC 9162, 2.1.3.2); undefined where that cannot be the way. */
const rootBy = (index, size, leaf, path) => {
  let [at, last, hash] = [index, size - 1, leaf];
  for (const beside of path) {
    if (last === 0) return undefined;
    const isRight = at % 2 === 1 || at === last;
    hash = isRight ? nodeOf(beside, hash) : nodeOf(hash, beside);
    while (isRight && at % 2 === 0 && at !== 0) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : undefined;
};
/** Whether a tile has a place: a number alone is one, so that no text comes to stand for a subtree in what is known. */
const takeTile = ({ from, hashes: encoded }, leaves) => {
  if (!Number.isSafeInteger(from) || from < 0 || typeof encoded !== 'string') return false;
  const hashes = Buffer.from(encoded, 'base64');
  for (let n = 0; n * 32 + 32 <= hashes.length; n += 1) leaves.set(from + n, hashes.subarray(n * 32, n * 32 + 32));
  return true;
};
/** What is told under a name, where a line tells nothing else. */
const toldAlone = (read, name) => (Object.keys(read ?? {}).length === 1 && typeof read[name] === 'object' ? read[name] : null);
/** A line with the leaf that it is as an event; no JSON, too, where it is deeper than can be read. */
const readLine = (line) => {
  try {
    const read = JSON.parse(line);
    const leaf = typeof read?.id === 'string' ? leafOf(read) : undefined;
    const documents = toldAlone(read, 'record')?.documents;
    const digested = Array.isArray(documents)
      ? documents.map((each) => ({ ...each, columns: undefined, value: digestDocument(each) }))
      : undefined;
    return { isJson: true, isAsWritten: JSON.stringify(read) === line, read, leaf, digested };
  } catch {
    return { isJson: false };
  }
};

/** Every line of an export by what it is; of an event what is needed to find it again. */
const readExport = async (lines) => {
  const found = { events: [], records: [], leaves: new Map(), manifest: undefined, faults: [] };
  const digest = createHash('sha256');
  let [number, bytes] = [0, 0];
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const { isJson, isAsWritten, read, leaf, digested } = readLine(line);
    if (!isJson) found.faults.push(`Cut or changed: line ${number} is not JSON.`);
    // Otherwise two readers could read it in two ways, as where a member stands in it twice.
    else if (!isAsWritten) found.faults.push(`Changed: line ${number} is not written as the service writes it.`);
    if (found.manifest !== undefined) found.faults.push(`Inserted: line ${number} stands behind the manifest, which is the end.`);
    const [tile, manifest, record] = ['tile', 'manifest', 'record'].map((name) => toldAlone(read, name));
    if (found.manifest === undefined && manifest === null) {
      digest.update(`${line}\n`);
      bytes += Buffer.byteLength(line) + 1;
    }
    if (manifest !== null) found.manifest = manifest;
    else if (record !== null) found.records.push({ ...record, line: number, documents: digested });
    else if (leaf !== undefined)
      found.events.push({
        ...{ line: number, id: read.id, sequence: read.sequence, organization: read.organization_id, leaf },
        covers: coversOf(read),
      });
    else if (isJson && (tile === null || !takeTile(tile, found.leaves))) found.faults.push(`Inserted: line ${number} is no event.`);
  }
  return { ...found, sha256: digest.digest('hex'), bytes };
};

/** The form of an export whose events can be compared with their leaves. */
const FORMAT = 'svc-audit-export/1';
/** True if the leaves of a file are exactly those of a range. */
const isRangeOf = (leaves, from, to) => {
  const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(to) && 0 <= from && from <= to && leaves.size === to - from;
  for (const place of isRange ? leaves.keys() : []) if (place < from || place >= to) return false;
  return isRange;
};
/** Differences between the manifest and its file. The manifest is not signed, so this finds accidents and careless changes alone. */
const compareManifest = ({ manifest, events, records, leaves, sha256: digest, bytes }) => {
  if (manifest === undefined) return [];
  const { format, origin, organization_id, from, to, tree_size, checkpoint } = manifest;
  const types = Array.isArray(manifest.record_types) ? manifest.record_types : undefined;
  const foreign = records.filter(({ type }) => manifest.records !== true || types?.includes(type) === false).map(({ line }) => line);
  const size = Number(String(checkpoint).split('\n')[1]);
  return [
    format !== FORMAT && `the manifest states the format ${format}, and the file is of ${FORMAT}.`,
    organization_id !== String(origin).split('/').at(-1) &&
      `the manifest states the organization ${organization_id}, and the log is ${origin}.`,
    manifest.events !== events.length && `the manifest states ${Number(manifest.events)} events, and the file has ${events.length}.`,
    !isRangeOf(leaves, from, to) &&
      `the manifest states the leaves from ${Number(from)} to ${Number(to)}, and the file has ${leaves.size} or others.`,
    typeof checkpoint === 'string' &&
      tree_size !== size &&
      `the manifest states a log of ${Number(tree_size)} events, and its checkpoint ${size}.`,
    (manifest.bytes ?? bytes) !== bytes && `the manifest states ${Number(manifest.bytes)} bytes before it, and there are ${bytes}.`,
    (manifest.sha256 ?? digest) !== digest && 'the lines before the manifest do not have the SHA-256 that it states.',
    foreign.length > 0 && `the manifest does not state the kinds of the records on lines ${numbers(foreign)}.`,
  ].flatMap((fault) => (fault === false ? [] : [`Changed: ${fault}`]));
};

/** The position of the first number in a sorted list that is not below another. */
const firstFrom = (sorted, least) => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
};
/** The hashes of leaves, and those of subtrees apart from these and each other: all then count for the root, and none that is only told stands beside. */
const hashesKnown = ({ leaves, manifest }) => {
  // Sorted once: compared with each subtree, the leaves of a large export would take minutes.
  const [places, ranges] = [Float64Array.from(leaves.keys()).sort(), []];
  for (const { from, to, hash: encoded } of (Array.isArray(manifest?.outside) ? manifest.outside : []).slice(0, 128).filter(Boolean)) {
    const [isRange, hash] = [Number.isInteger(from) && Number.isInteger(to) && from < to, Buffer.from(String(encoded), 'base64')];
    const isApart = !(places[firstFrom(places, from)] < to) && !ranges.some((other) => other.from < to && from < other.to);
    if (isRange && hash.length === 32 && isApart) ranges.push({ from, to, hash });
  }
  return new Map([...leaves, ...ranges.map(({ from, to, hash }) => [to - from === 1 ? from : `${from}-${to}`, hash])]);
};

/** What is wrong with the events of an export, whose leaves are known to be those that were signed. */
const compareEvents = ({ events, leaves }, first, size, isPart, removed) => {
  const faults = [];
  const placeOf = new Map([...leaves].map(([place, hash]) => [hash.toString('hex'), place]));
  const there = new Set(events.map(({ leaf }) => placeOf.get(leaf.toString('hex'))));
  const seen = new Set();
  let before = -1;
  for (const { line, id, sequence, leaf } of events) {
    const place = placeOf.get(leaf.toString('hex'));
    const named = `the event ${id} on line ${line}`;
    if (place === undefined && leaves.has(sequence) && !there.has(sequence))
      faults.push(`Changed: ${named} is not what was sealed as ${sequence}.`);
    else if (place === undefined) faults.push(`Inserted: ${named} was never sealed.`);
    else if (seen.has(place)) faults.push(`Replayed: ${named} stands here once more; it was sealed once, as ${place}.`);
    else if (place !== sequence) faults.push(`Moved: ${named} is said to be ${sequence} and was sealed as ${place}.`);
    else if (place < before) faults.push(`Moved: ${named} stands behind events that were sealed after it.`);
    if (place !== undefined || !there.has(sequence)) seen.add(place ?? sequence);
    before = Math.max(before, place ?? -1);
  }
  const absent = [...leaves.keys()].filter((place) => place >= first && place < size && !seen.has(place)).sort((a, b) => a - b);
  const [missing, gone] = [absent.filter((place) => place >= removed), absent.filter((place) => place < removed).length];
  let end = size;
  while (missing.at(-1) === end - 1 && missing.length > 0) end = missing.pop();
  if (end < size && !isPart) faults.push(`Cut: the events from ${end} to ${size - 1} are missing at the end.`);
  const [noun, are] = missing.length === 1 ? ['event', 'is'] : ['events', 'are'];
  if (missing.length > 0 && !isPart) faults.push(`Deleted: the ${noun} ${numbers(missing)} ${are} missing.`);
  return { faults, gone };
};

/** What is wrong with the records of an export, compared with the events that are what was sealed. */
const compareRecords = ({ events, records, leaves, manifest }, organization, isWhole, removed) => {
  const [faults, told, newest] = [[], new Set(), new Map()];
  const sealed = new Set([...leaves.values()].map((hash) => hash.toString('hex')));
  const byId = new Map(events.filter(({ leaf }) => sealed.has(leaf.toString('hex'))).map((event) => [event.id, event]));
  for (const event of byId.values())
    for (const cover of event.covers) {
      const key = `${cover.type} ${cover.id} ${cover.digest}`;
      if (!(newest.get(key)?.revision >= cover.revision)) newest.set(key, { ...cover, event: event.id });
    }
  let [intact, erased, newer] = [0, 0, 0];
  for (const { line, type, id, event_id, documents, state } of records) {
    const [event, named] = [byId.get(event_id), `the ${type} ${id} on line ${line}`];
    const mine = event?.covers.filter((cover) => cover.type === type && cover.id === id) ?? [];
    const tell = (digest) => told.add(`${type} ${id} ${digest} ${event_id}`);
    if (mine.length === 0 || documents === undefined) faults.push(`Inserted: no sealed event of this export covers ${named}.`);
    else if (state === 'NEWER') newer += 1;
    else if (state === 'ERASED' && event.sequence < removed) erased += 1;
    else if (state !== undefined) faults.push(`Deleted: ${named} is not there any more; the event ${event_id} states it.`);
    if (state !== undefined) for (const { digest } of mine) tell(digest);
    for (const document of mine.length > 0 ? (documents ?? []) : []) {
      const cover = mine.find(({ digest }) => digest === document.digest);
      const isOfRow = document.record_type === type && document.record_id === id && document.organization_id === organization;
      if (cover === undefined || !isOfRow || document.value !== cover.value)
        faults.push(`Changed: ${named} is not what ${document.digest} of the event ${event_id} covers.`);
      else intact += 1;
      if (cover !== undefined) tell(cover.digest);
    }
  }
  const untold = [...newest].filter(([key, { event }]) => !told.has(`${key} ${event}`)).map(([key]) => key.slice(0, key.lastIndexOf(' ')));
  // A caller who may not read a kind of records has none of them.
  const isExported = (key) => (manifest?.record_types ?? ['action']).includes(key.slice(0, key.indexOf(' ')));
  const missing = [...new Set(untold.filter(isExported))];
  if (manifest?.records === true && isWhole && missing.length > 0) faults.push(`Cut: no record is here of ${numbers(missing)}.`);
  const besides = [erased > 0 && `${erased} were removed by retention`, newer > 0 && `${newer} were changed after this export`].filter(
    Boolean,
  );
  const says = records.length === 0 ? '' : ` ${[`${intact} parts of records match the events that cover them`, ...besides].join(', ')}.`;
  return { faults, says };
};

/** The checkpoints of a log in a text, however its lines end, which may have those of others too; one that was torn off is none. */
const notesIn = (text, origin) => {
  const notes =
    `${text}\n`.match(/^[^\n]+\n\d+\n[^\n]+\n(?:(?:kept|after) [^\n]+\n)?\n(— [^\n]+\n)*?— \S+ [\w+/]{91}=\n(— [^\n]+\n)*/gm) ?? [];
  const own = notes.filter((note) => note.startsWith(`${origin}\n`));
  return own.length > 0 ? own : [text];
};

/** Whether the log is the continuation of those whose checkpoints were seen before. */
const compareSeen = (texts, now, known, keys) => {
  const roots = new Map([[now.size, now.root]]);
  const faultOf = (note) => {
    const { fault, size, root } = openCheckpoint(note, keys);
    if (fault !== undefined) return `Of a checkpoint seen before: ${fault}`;
    if (!(roots.get(size) ?? root).equals(root)) return `Forked: the log signed two trees of ${size} events.`;
    roots.set(size, root);
    if (size > now.size) return `Rolled back, or older: you saw ${size} events of the log, and this is of ${now.size}: export anew.`;
    const then = size === now.size ? root : hashOver(0, size, known);
    if (then === undefined) return 'Whether the log continues the one seen before cannot be told from a part: export all of it.';
    return then.equals(root) ? [] : `Rewritten: this log is not the continuation of the one you saw, of ${size} events.`;
  };
  return [...new Set(texts.flatMap((text) => notesIn(text, now.origin)).flatMap(faultOf))];
};

/** What is wrong with an export, given line by line: sentences, none where all of it is as it was sealed. */
export const verifyExport = async (lines, { keys, checkpoint, seen = [], witnesses = [], from: first = 0, isPart }) => {
  const read = await readExport(lines);
  const note = checkpoint ?? read.manifest?.checkpoint;
  if (typeof note !== 'string') return { faults: [...read.faults, 'Cut: there is no manifest at the end; give --checkpoint.'] };
  const said = openCheckpoint(note, keys);
  if (said.fault !== undefined) return { faults: [...read.faults, said.fault] };
  const faults = [...read.faults];
  if (read.manifest === undefined) faults.push('Cut: the manifest at the end is missing.');
  else if (read.manifest.origin !== said.origin) faults.push(`Swapped: the export says that it is of ${read.manifest.origin}.`);
  const organization = said.origin.split('/').at(-1);
  const foreign = read.events.filter((event) => event.organization !== organization).map(({ line }) => line);
  if (foreign.length > 0) faults.push(`Swapped: lines ${numbers(foreign)} are of another organization than ${organization}.`);
  const stated = compareManifest(read);
  for (const place of read.leaves.keys()) if (place >= said.size) read.leaves.delete(place);
  const known = hashesKnown(read);
  const root = hashOver(0, said.size, known);
  if (!root?.equals(said.root)) faults.push(`The export does not come to the root that is signed for ${said.size} events: it was changed.`);
  const covered = [...read.leaves.keys()].filter((place) => place >= first).length;
  const cut = `Cut: of the events from ${first} to ${said.size - 1} the export tells about ${covered}; was it asked for no more, say --from or --part.`;
  if (covered < said.size - first && !isPart) faults.push(cut);
  const removed = openRemoval(String(read.manifest?.retention), said, keys, known);
  const { faults: compared, gone } = compareEvents(read, first, said.size, isPart, removed);
  faults.push(...compared, ...compareSeen(seen, said, known, keys));
  const records = compareRecords(read, organization, !isPart && first === 0 && read.manifest?.filter == null, removed);
  faults.push(...records.faults);
  for (const each of witnesses) if (!isSignedBy(note, each)) faults.push(`Not cosigned: ${each.name} has not signed this checkpoint.`);
  if (faults.length === 0) faults.push(...stated);
  return {
    faults,
    says: `${read.events.length} events of ${organization} are what was sealed, in their order; the log has ${said.size}, root ${said.root.toString('base64')}.${gone === 0 ? '' : ` Of those before ${removed}, ${gone} were removed by retention.`}${records.says}`,
  };
};

/** What is wrong with a receipt. Of one that is not signed nothing is read: it may be no JSON. */
export const verifyReceipt = (text, { keys, record: answer }) => {
  const [header, payload, signature, ...more] = text.trim().split('.');
  const read = (part) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
  const [signed, by] = [Buffer.from(`${header}.${payload}`), Buffer.from(signature ?? '', 'base64url')];
  const isSigned = keys.some(({ key }) => verify(null, signed, key, by));
  const { alg, typ } = isSigned ? read(header) : {};
  if (alg !== 'EdDSA' || !/-receipt\+jws$/.test(typ) || more.length > 0 || !isSigned)
    return { faults: ['The receipt is not signed by the key that was given.'] };
  const { iss, event, proof, record } = read(payload);
  const said = openCheckpoint(proof.checkpoint, keys);
  if (said.fault !== undefined) return { faults: [said.fault] };
  const path = proof.inclusion_path.map((hash) => Buffer.from(hash, 'base64'));
  const root = rootBy(proof.sequence, said.size, leafOf(event), path);
  const faults = [];
  if (iss !== said.origin || event.organization_id !== said.origin.split('/').at(-1))
    faults.push('Swapped: the event is of another organization than the checkpoint.');
  if (proof.sequence >= said.size || !root?.equals(said.root)) faults.push('Changed: the event does not stand in the log that is signed.');
  const documents = answer === undefined ? [] : (JSON.parse(answer).record?.documents ?? []);
  if (answer !== undefined && documents.length === 0) faults.push('The file of --record holds no documents of a record.');
  for (const document of documents) {
    const cover = coversOf(event).find(({ digest, id }) => digest === document.digest && id === document.record_id);
    if (cover?.value !== digestDocument(document) || document.organization_id !== event.organization_id)
      faults.push(`Changed: the record is not what ${document.digest} of the receipt covers.`);
  }
  if (record?.status === 'CHANGED') faults.push('Changed: the record was not what was decided any more when the receipt was made.');
  return {
    faults,
    says: `${event.subject.id}: ${event.type} at ${event.occurred_at}, by ${event.actor.id}; sealed as ${proof.sequence} of ${said.size}.${documents.length === 0 ? '' : ` ${documents.length} parts of the record match.`}`,
  };
};
const readArguments = (words) => {
  const options = { keys: [], seen: [], witnesses: [], isPart: false };
  for (let n = 0; n < words.length; n += 1) {
    const word = words[n];
    if (word === '--part') options.isPart = true;
    else if (word === '--key') options.keys.push(readKey(words[++n] ?? ''));
    else if (word === '--witness') options.witnesses.push(readKey(words[++n] ?? '', 4));
    else if (word === '--seen') options.seen.push(readFileSync(words[++n] ?? '', 'utf8').replaceAll(/\ufeff|\r(?=\n)/g, ''));
    else if (['--checkpoint', '--receipt', '--record'].includes(word)) options[word.slice(2)] = readFileSync(words[++n] ?? '', 'utf8');
    else if (word === '--from' && /^\d{1,15}$/.test(words[n + 1] ?? '')) options.from = Number(words[++n]);
    else if (word?.startsWith('--') || options.file !== undefined) throw new Error(`${word} is not understood.`);
    else options.file = word;
  }
  if (options.keys.length === 0 || (options.file === undefined) === (options.receipt === undefined))
    throw new Error('Name the key of the log by --key, and one export, or one receipt by --receipt; --help tells more.');
  return options;
};

/** Lines as JSON lines are parted, by nothing but a line feed: events may hold what parts lines elsewhere. None is held without a bound, or read as what it is not. */
async function* linesOf(file) {
  let [rest, text] = ['', new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })];
  for await (const piece of createReadStream(file)) {
    const whole = (rest + text.decode(piece, { stream: true })).split('\n');
    rest = whole.pop();
    if (rest.length > 2 ** 24) throw new Error('The file is no export: a line of it does not end.');
    yield* whole.map((line) => line.replace(/\r$/, ''));
  }
  if (text.decode() + rest !== '') yield rest;
}
/** As it is shown: what an export holds moves no cursor, and begins no line. */
const shown = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
const main = async (words) => {
  if (words.includes('--help')) return void console.log(readFileSync(new URL(import.meta.url), 'utf8').split('\nimport ')[0]);
  const { file, receipt, ...options } = readArguments(words);
  const { faults, says } = receipt === undefined ? await verifyExport(linesOf(file), options) : verifyReceipt(receipt, options);
  for (const fault of faults) console.log(shown(fault));
  console.log(faults.length === 0 ? shown(`Intact: ${says}`) : 'NOT INTACT.');
  return faults.length === 0 ? 0 : 1;
};
// Silent only where another file uses it: whatever Node is old or started in another way, there is a verdict.
if (!existsSync(process.argv[1] ?? '') || realpathSync(process.argv[1]) === realpathSync(new URL(import.meta.url)))
  process.exitCode = await main(process.argv.slice(2)).catch((error) => {
    console.error(shown(error instanceof Error ? error.message : String(error)));
    return 2;
  });
