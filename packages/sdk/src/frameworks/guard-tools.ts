import type { GuardOptions, ToolOptions } from '../wire/options.ts';
import { isObject, isText, type WireMembers } from '../wire/read-members.ts';
import { type AnyFunction, answerRefusals, findMcpRefusal, type MakeGuard, refuseGenerator } from './answer-refusals.ts';
import { parseInput } from './parse-input.ts';
import { type FrameworkToolKind, readToolKind } from './tool-kinds.ts';

// biome-ignore lint/suspicious/noExplicitAny: arguments of every framework
type AnyOptions = GuardOptions<any[], unknown>;
/** Guards a function as a tool of the gateway. */
export type GuardFunction = (tool: string, fn: AnyFunction, options: AnyOptions) => AnyFunction;

const asInput = (input: unknown): WireMembers => {
  if (input === undefined) return {};
  if (!isObject(input)) throw new TypeError('A guarded tool takes an object.');
  return input;
};

/** Returns a function that guards the function of a tool: its first argument is judged, the others belong to the framework. */
export const makeToolGuard = (guardFunction: GuardFunction, name: string, options: ToolOptions): MakeGuard => {
  const { names, request, waitForApproval, result, onError } = options;
  const tool = (names && Object.hasOwn(names, name) ? names[name] : undefined) ?? name;
  return (fn) => {
    refuseGenerator(name, fn);
    return guardFunction(tool, fn, {
      request: (input) => (request ? request(asInput(input), name) : { parameters: asInput(input) }),
      masked: (mask, input, ...rest) => [mask(input), ...rest],
      ...(waitForApproval === undefined ? {} : { waitForApproval }),
      ...(result ? { result } : {}),
      ...(onError ? { onError } : {}),
    });
  };
};

/** Returns a copy of the same class, which frameworks check for, with one member replaced. */
const withMember = (tool: object, member: string, value: unknown): object => {
  const copy: object = Object.create(Object.getPrototypeOf(tool), Object.getOwnPropertyDescriptors(tool));
  return Object.defineProperty(copy, member, { value, writable: true, enumerable: true, configurable: true });
};

const WITH_ARTIFACT = 'content_and_artifact';

const guardMastra = (tool: WireMembers, make: MakeGuard): object => {
  const execute = tool.execute as AnyFunction;
  const judged = answerRefusals(
    make,
    (input, context) => execute.call(tool, input, context),
    ({ forModel }) => forModel,
  );
  const guarded: AnyFunction = async (input, context) => {
    const parsed = await parseInput(tool.inputSchema, input);
    // An invalid input executes nothing: the tool itself reports what is wrong with it.
    return parsed === undefined ? execute.call(tool, input, context) : judged(parsed, context);
  };
  return withMember(tool, 'execute', guarded);
};

type Guards = Record<Exclude<FrameworkToolKind, 'function'>, (tool: WireMembers, make: MakeGuard, name: string) => object>;

const GUARDS: Guards = {
  // The package shows the text of a thrown error to the model.
  ai: (tool, make) => withMember(tool, 'execute', make(tool.execute as AnyFunction)),
  mastra: guardMastra,
  langchain: (tool, make) => {
    const isPair = tool.responseFormat === WITH_ARTIFACT;
    const answer = answerRefusals(make, tool.func as AnyFunction, ({ forModel }) => (isPair ? [forModel, undefined] : forModel));
    return withMember(tool, 'func', answer);
  },
  claude: (tool, make) => withMember(tool, 'handler', answerRefusals(make, tool.handler as AnyFunction, findMcpRefusal)),
  openai: (_tool, _make, name) => {
    throw new TypeError(
      `The tool ${name} of @openai/agents parses its arguments after a guard around it. Guard its function instead: ` +
        "tool({ …, execute: governance.guardExecute('<tool>', execute) }).",
    );
  },
};

const readName = (tool: unknown, key: string | undefined): string => {
  const { name, id } = ((typeof tool === 'object' || typeof tool === 'function') && tool !== null ? tool : {}) as WireMembers;
  const found = [key, name, id].find(isText);
  if (found === undefined) throw new TypeError('A tool in a list needs a name. Pass tools of the ai package as an object, by name.');
  return found;
};

const guardTool = (guardFunction: GuardFunction, tool: unknown, name: string, options: ToolOptions): unknown => {
  const kind = readToolKind(tool, name);
  const make = makeToolGuard(guardFunction, name, options);
  if (kind === 'function') return make(tool as AnyFunction);
  const members = tool as WireMembers;
  for (const each of ['execute', 'func', 'handler'])
    if (typeof members[each] === 'function') refuseGenerator(name, members[each] as AnyFunction);
  return GUARDS[kind](members, make, name);
};

const checkNames = (options: ToolOptions, found: readonly string[]): void => {
  const unused = Object.keys(options.names ?? {}).filter((name) => !found.includes(name));
  if (unused.length > 0) throw new TypeError(`names has ${unused.join(', ')}, which is none of the tools.`);
};

/** Returns guarded copies of the tools, in a list or an object as they were given. Throws TypeError if one cannot be guarded. */
export const guardTools = <Tools extends readonly unknown[] | Readonly<Record<string, unknown>>>(
  guardFunction: GuardFunction,
  tools: Tools,
  options: ToolOptions,
): Tools => {
  if (Array.isArray(tools)) {
    const names = tools.map((tool) => readName(tool, undefined));
    checkNames(options, names);
    return tools.map((tool, index) => guardTool(guardFunction, tool, names[index] ?? '', options)) as unknown as Tools;
  }
  if (!isObject(tools)) throw new TypeError('tools must be a list of tools or an object with tools by name.');
  checkNames(options, Object.keys(tools));
  const guarded = Object.entries(tools).map(([key, tool]) => [key, guardTool(guardFunction, tool, readName(tool, key), options)]);
  return Object.fromEntries(guarded) as Tools;
};
