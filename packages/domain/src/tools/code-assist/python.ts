import { type GuardCall, type SourceLanguage, type SourceNode, walk } from './source-tree.ts';

const PACKAGE = 'svc_sdk';

const named = (node: SourceNode | undefined, ...kinds: readonly string[]): readonly SourceNode[] =>
  (node?.children ?? []).filter(({ kind }) => kinds.includes(kind));
const field = (node: SourceNode | undefined, name: string): SourceNode | undefined => node?.children.find((each) => each.field === name);
const findText = (node: SourceNode | undefined): string => (node === undefined ? '' : [...walk(node)].map(({ value }) => value).join(''));

/** The text of a plain string; undefined for one with a prefix, an escape or an interpolation. */
const findString = (node: SourceNode | undefined): string | undefined => {
  if (node?.kind !== 'string') return undefined;
  const [begin] = named(node, 'string_start');
  const isPlain = node.children.every(({ kind }) => ['string_start', 'string_content', 'string_end'].includes(kind));
  const contents = named(node, 'string_content');
  if (!isPlain || !/^(?:'|")$/.test(begin?.value ?? '') || contents.some(({ children }) => children.length > 0)) return undefined;
  return contents.map(({ value }) => value).join('');
};

/** Local names of what the file imports from the SDK. */
const importedNames = (root: SourceNode): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const node of walk(root)) {
    if (node.kind !== 'import_from_statement') continue;
    const module = findText(field(node, 'module_name'));
    if (module !== PACKAGE && !module.startsWith(`${PACKAGE}.`)) continue;
    for (const name of node.children.filter((each) => each.field === 'name')) {
      const alias = field(name, 'alias');
      names.add(findText(alias ?? name));
    }
  }
  return names;
};

const clientNames = (root: SourceNode): ReadonlySet<string> => {
  const imported = importedNames(root);
  const assigned = new Map<string, number>();
  const clients = new Set<string>();
  for (const node of walk(root)) {
    const left = node.kind === 'assignment' ? field(node, 'left') : undefined;
    if (left?.kind !== 'identifier') continue;
    assigned.set(left.value, (assigned.get(left.value) ?? 0) + 1);
    const right = field(node, 'right');
    const callee = right?.kind === 'call' ? field(right, 'function') : undefined;
    if (callee?.kind === 'identifier' && imported.has(callee.value)) clients.add(left.value);
  }
  return new Set([...clients].filter((name) => assigned.get(name) === 1));
};

const PUNCTUATION = new Set(['(', ')', ',', ':', '{', '}', '[', ']', '=', 'lambda']);

const guardCall = (node: SourceNode, clients: ReadonlySet<string>): GuardCall | undefined => {
  const callee = node.kind === 'call' ? field(node, 'function') : undefined;
  const [object, attribute] = [field(callee, 'object'), field(callee, 'attribute')];
  const isGuard =
    callee?.kind === 'attribute' && object?.kind === 'identifier' && clients.has(object.value) && attribute?.value === 'guard';
  if (!isGuard) return undefined;
  const list = field(node, 'arguments');
  const args = list?.kind === 'argument_list' ? list.children.filter(({ kind }) => !PUNCTUATION.has(kind)) : [];
  const key = findString(args[0]);
  return key === undefined ? undefined : { key, node, args };
};

export const python: SourceLanguage = {
  findGuardCalls: (root) => {
    const clients = clientNames(root);
    return [...walk(root)].flatMap((node) => guardCall(node, clients) ?? []);
  },
  data: new Set([
    ...['keyword_argument', 'lambda', 'lambda_parameters', 'identifier', 'dictionary', 'pair', 'string', 'string_start', 'string_content'],
    ...['string_end', 'integer', 'float', 'true', 'false', 'none', 'list', 'tuple', 'parenthesized_expression', 'unary_operator', '-'],
    ...PUNCTUATION,
  ]),
  isActive: (node) => node.kind === 'string' && findString(node) === undefined,
  names: (node) => {
    const [bound, free] = [new Set<string>(), new Set<string>()];
    const look = (each: SourceNode): void => {
      if (each.kind === 'identifier') free.add(each.value);
      if (each.kind === 'lambda_parameters') for (const parameter of named(each, 'identifier')) bound.add(parameter.value);
      for (const below of each.children) {
        const isName =
          (each.kind === 'keyword_argument' && below.field === 'name') || (each.kind === 'attribute' && below.field === 'attribute');
        if (!isName) look(below);
      }
    };
    look(node);
    for (const name of bound) free.delete(name);
    return { bound, free };
  },
};
