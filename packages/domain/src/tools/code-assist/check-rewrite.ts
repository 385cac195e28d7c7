import { listPlaceholders } from './placeholders.ts';
import { type GuardCall, type ParsedSource, type SourceLanguage, type SourceNode, walk, written } from './source-tree.ts';

/** Checks of a proposed rewrite of a source file, in order. */
const REWRITE_CHECKS = [
  ...(['SAME_CALLS', 'OUTSIDE_UNCHANGED', 'COMMENTS_UNCHANGED', 'PLACEHOLDERS_UNCHANGED', 'FUNCTION_UNCHANGED', 'DATA_ONLY'] as const),
  'KNOWN_NAMES',
] as const;
export type RewriteCheck = (typeof REWRITE_CHECKS)[number];

export type RewriteCheckResults = readonly { readonly name: RewriteCheck; readonly passed: boolean }[];

export type RewriteSource = ParsedSource & { readonly source: string };

/** Maximum arguments of a guard call: the key, the function, and one that describes the request. */
const ARGUMENTS_MAX = 3;

const isSame = (one: SourceNode | undefined, other: SourceNode | undefined): boolean =>
  one === undefined || other === undefined ? one === other : written(one) === written(other);

const hasSameKeys = (before: readonly GuardCall[], after: readonly GuardCall[]): boolean =>
  before.length === after.length && before.every(({ key }, at) => after[at]?.key === key);

const findExcludedNodes = (calls: readonly GuardCall[], keys: ReadonlySet<string>): ReadonlySet<SourceNode> =>
  new Set(calls.filter(({ key }) => keys.has(key)).map(({ node }) => node));

const isFunctionUnchanged = ({ args, node }: GuardCall, after: GuardCall): boolean => {
  const callee = (call: SourceNode): SourceNode | undefined =>
    call.children.find(({ field }) => field === 'callee' || field === 'function');
  return (
    isSame(args[0], after.args[0]) &&
    isSame(args[1], after.args[1]) &&
    isSame(callee(node), callee(after.node)) &&
    after.args.length >= Math.min(args.length, 2) &&
    after.args.length <= Math.max(args.length, ARGUMENTS_MAX)
  );
};

/** Returns the arguments that describe the request: the only nodes that a rewrite may change. */
const listDescribingArguments = ({ args }: GuardCall): readonly SourceNode[] => args.slice(2);

/** True if the new arguments do nothing that the old call did not do: new syntax only describes data. */
const isDataOnly = (language: SourceLanguage, before: GuardCall, after: GuardCall): boolean => {
  const known = new Set(listDescribingArguments(before).flatMap((each) => [...walk(each)].map((node) => written(node))));
  const isData = (node: SourceNode): boolean =>
    known.has(written(node)) || (language.data.has(node.kind) && !language.isActive(node) && node.children.every(isData));
  return listDescribingArguments(after).every(isData);
};

/** True if the new arguments read no name that the old ones did not: nothing else of the file becomes part of a request. */
const readsKnownNames = (language: SourceLanguage, before: GuardCall, after: GuardCall): boolean => {
  const known = new Set(listDescribingArguments(before).flatMap((each) => [...language.names(each).free]));
  return listDescribingArguments(after).every((each) => [...language.names(each).free].every((name) => known.has(name)));
};

const hasSameElements = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());

/** Compares a parsed source with its proposed rewrite. A proposal is used only if every check passes. */
export const checkRewrite = (
  language: SourceLanguage,
  before: RewriteSource,
  after: RewriteSource,
  keys: ReadonlySet<string>,
): RewriteCheckResults => {
  const [callsBefore, callsAfter] = [language.findGuardCalls(before.root), language.findGuardCalls(after.root)];
  const isPaired = hasSameKeys(callsBefore, callsAfter);
  const pairs = isPaired
    ? callsBefore.flatMap((old, at) => (callsAfter[at] && keys.has(old.key) ? [[old, callsAfter[at]] as const] : []))
    : [];
  const each = (check: (old: GuardCall, fresh: GuardCall) => boolean): boolean =>
    isPaired && pairs.every(([old, fresh]) => check(old, fresh));
  return [
    { name: 'SAME_CALLS', passed: isPaired && pairs.length >= keys.size },
    {
      name: 'OUTSIDE_UNCHANGED',
      passed: written(before.root, findExcludedNodes(callsBefore, keys)) === written(after.root, findExcludedNodes(callsAfter, keys)),
    },
    { name: 'COMMENTS_UNCHANGED', passed: JSON.stringify(before.comments) === JSON.stringify(after.comments) },
    { name: 'PLACEHOLDERS_UNCHANGED', passed: hasSameElements(listPlaceholders(before.source), listPlaceholders(after.source)) },
    { name: 'FUNCTION_UNCHANGED', passed: each(isFunctionUnchanged) },
    { name: 'DATA_ONLY', passed: each((old, fresh) => isDataOnly(language, old, fresh)) },
    { name: 'KNOWN_NAMES', passed: each((old, fresh) => readsKnownNames(language, old, fresh)) },
  ];
};
