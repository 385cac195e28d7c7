/** Judges definitions and instructions of MCP servers. */
import { formatPointer } from '@svc/domain/tools/json-pointer.ts';
import type { ToolDefinition } from '../definitions/definition.ts';
import { isPageMember } from '../definitions/page-member.ts';
import { type DefinitionFinding, type DefinitionSeverity, type JudgedText, keepGravest, newFinding } from './finding.ts';
import { findLookalike, isMixedScript, type Lookalike, type ToolContext } from './known-tools.ts';
import { judgeName, judgeText, type TextTerms } from './text-findings.ts';

/** A string of a definition. `isName`: the name of a member. */
type FoundString = JudgedText & { readonly isName: boolean };

/** Members whose names are keywords, not names that the server's author chose. */
const NAMED_BY_AUTHOR: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'default',
  'const',
  'examples',
]);

/** Returns all strings within a value: a model reads those of every keyword. */
const collectStrings = (value: unknown, tokens: readonly string[], strings: FoundString[]): void => {
  if (typeof value === 'string') strings.push({ pointer: formatPointer(tokens), text: value, isName: false });
  if (typeof value !== 'object' || value === null) return;
  const areNames = NAMED_BY_AUTHOR.has(tokens.at(-1) ?? '');
  for (const [name, member] of Object.entries(value)) {
    const below = [...tokens, name];
    if (areNames && !Array.isArray(value)) strings.push({ pointer: formatPointer(below), text: name, isName: true });
    collectStrings(member, below, strings);
  }
};

/** Parameters through which a model hands on what the tool has no use for, each with words of tools that have one. */
const SIDE_CHANNELS: Readonly<Record<string, RegExp>> = {
  conversationhistory: /chat|conversation|message|dialog|thread/u,
  chathistory: /chat|conversation|message|dialog|thread/u,
  messagehistory: /chat|conversation|message|dialog|thread/u,
  previousmessages: /chat|conversation|message|dialog|thread/u,
  fullconversation: /chat|conversation|message|dialog|thread/u,
  fullcontext: /chat|conversation|message|dialog|thread/u,
  systemprompt: /assistant|agent|prompt|model|bot|persona|chat|llm/u,
  chainofthought: /assistant|agent|prompt|model|reason|think/u,
  env: /deploy|container|process|environment|run|job|build|command|shell|variable/u,
  environmentvariables: /deploy|container|process|environment|run|job|build|command|shell|variable/u,
  envvars: /deploy|container|process|environment|run|job|build|command|shell|variable/u,
  toolresults: /assistant|agent|tool/u,
  userinfo: /user|account|profile|person/u,
};

const isCarrying = (schema: unknown): boolean => {
  const type = typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : undefined;
  return ![type].flat().every((each) => each === 'boolean' || each === 'integer' || each === 'number' || each === 'null');
};

const sideChannels = ({ name, description = '', inputSchema }: ToolDefinition): readonly DefinitionFinding[] => {
  const { properties } = inputSchema;
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties).flatMap(([parameter, schema]) => {
    const explained = SIDE_CHANNELS[parameter.toLowerCase().replace(/[^a-z]/gu, '')];
    if (explained === undefined || !isCarrying(schema)) return [];
    const isExplained = explained.test(`${name} ${description}`.toLowerCase());
    const judged = { pointer: formatPointer(['inputSchema', 'properties', parameter]), text: parameter };
    const explanation = isExplained
      ? 'The parameter may carry more than the tool needs.'
      : 'The parameter asks the model for context that nothing in the description explains.';
    return [
      newFinding(judged, {
        kind: 'SIDE_CHANNEL_PARAMETER',
        severity: isExplained ? 'low' : 'medium',
        start: 0,
        end: parameter.length,
        explanation,
      }),
    ];
  });
};

const LOOKALIKE_SEVERITY: Readonly<Record<Lookalike['how'], DefinitionSeverity>> = {
  letters: 'high',
  separators: 'low',
  spelling: 'medium',
  ending: 'low',
};

const toolNameFindings = (name: string, context: ToolContext): readonly DefinitionFinding[] => {
  const whole = { start: 0, end: name.length };
  const judged = { pointer: '/name', text: name };
  const found: DefinitionFinding[] = [];
  if (isMixedScript(name)) {
    const explanation = 'The name mixes letters of several scripts, so that it can look like another.';
    found.push(newFinding(judged, { kind: 'MIXED_SCRIPT_NAME', severity: 'critical', stops: true, ...whole, explanation }));
  }
  const lookalike = findLookalike(name, context);
  if (lookalike !== undefined) {
    const isDoubled = /[_.-]{2}/u.test(name);
    const severity = lookalike.how === 'separators' && isDoubled ? 'medium' : LOOKALIKE_SEVERITY[lookalike.how];
    const explanation = `The name is easily confused with ${lookalike.tool.name} of the server ${lookalike.tool.server}.`;
    found.push(newFinding(judged, { kind: 'LOOKALIKE_NAME', severity, ...whole, explanation }));
  }
  return found;
};

const uiFindings = ({ _meta }: ToolDefinition): readonly DefinitionFinding[] =>
  Object.keys(_meta ?? {})
    .filter(isPageMember)
    .map((member) =>
      newFinding(
        { pointer: formatPointer(['_meta', member]), text: '' },
        {
          ...({ kind: 'UI_RESOURCE', severity: 'low', start: 0, end: 0 } as const),
          explanation: 'The tool shows a page of the server in clients. It is not passed on.',
        },
      ),
    );

/** Returns the findings of a definition, the gravest first. */
export const findFindings = (definition: ToolDefinition, context: ToolContext): readonly DefinitionFinding[] => {
  const { name, title, description, inputSchema, outputSchema, annotations, execution, _meta } = definition;
  const terms: TextTerms = { context: { ...context, ownTools: [...context.ownTools, name] }, stopsAtControls: true };
  const strings: FoundString[] = [{ pointer: '/name', text: name, isName: true }];
  for (const [member, value] of Object.entries({ title, description, inputSchema, outputSchema, annotations, execution, _meta }))
    collectStrings(value, [member], strings);
  return keepGravest([
    ...toolNameFindings(name, context),
    ...strings.flatMap(({ isName, ...judged }) => (isName ? judgeName(judged, terms) : judgeText(judged, terms))),
    ...sideChannels(definition),
    ...uiFindings(definition),
  ]);
};

/** Returns the findings of a server's instructions. Pointers are empty. */
export const findInstructionFindings = (text: string, context: ToolContext): readonly DefinitionFinding[] =>
  keepGravest(judgeText({ pointer: '', text }, { context, stopsAtControls: true }));

const replaced = (definition: ToolDefinition, gone: ToolDefinition): boolean =>
  definition.name !== gone.name && definition.description !== undefined && definition.description === gone.description;

/** Returns the finding of a new tool that has the text of one that disappeared: renaming leaves a pin behind. */
export const renameFindings = (definition: ToolDefinition, goneTools: readonly ToolDefinition[]): readonly DefinitionFinding[] =>
  goneTools
    .filter((gone) => replaced(definition, gone))
    .slice(0, 1)
    .map(({ name }) =>
      newFinding(
        { pointer: '/name', text: definition.name },
        {
          kind: 'LOOKS_LIKE_REMOVED_TOOL',
          severity: 'medium',
          start: 0,
          end: definition.name.length,
          explanation: `The tool has the description of ${name}, which is no longer listed.`,
        },
      ),
    );
