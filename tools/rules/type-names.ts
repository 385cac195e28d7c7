import type { SourceFile } from '../source.ts';
import type { ProjectRule, RuleFinding } from '../tree.ts';

const WIRE = 'the SDK is published with its own copy of the wire types, under their names in the contract, and without the contract';
const CLIENTS = 'the SDK and the client are published separately, and each exports this part of its interface';

/** Type names that several files export, each with its reason. */
const repeatedNames: Readonly<Record<string, string>> = {
  Action: WIRE,
  ActionRequest: WIRE,
  ActionStatus: WIRE,
  Approval: WIRE,
  ApprovalHint: WIRE,
  ApprovalStatus: WIRE,
  CallOptions: CLIENTS,
  ClientErrorCode: CLIENTS,
  Decision: WIRE,
  Delegation: WIRE,
  DelegationCeiling: WIRE,
  DelegationWarning: WIRE,
  Effect: WIRE,
  ErrorCode: WIRE,
  Execution: WIRE,
  Explanation: WIRE,
  Fault: 'the client is published without the contract, and repeats the two members of a fault',
  Handshake: WIRE,
  Mode: WIRE,
  NewDelegation: WIRE,
  Obligations: WIRE,
  StageFinding: WIRE,
  WebhookDelivery: 'the SDK publishes the content of a verified delivery; the contract lists the delivery with its attempts',
};

type ExportedType = { readonly name: string; readonly path: string; readonly line: number };

type Declaration = { readonly type: string; readonly start: number; readonly id?: { readonly name?: string } | null };

const TYPE_DECLARATIONS: ReadonlySet<string> = new Set([
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSEnumDeclaration',
  'ClassDeclaration',
]);

/** Generated files follow a schema that others own, so the names in them cannot be chosen. */
const isGenerated = ({ text }: SourceFile): boolean => /npm run generate|generated/i.test(text.slice(0, text.indexOf('\n')));

const isProduct = (source: SourceFile): boolean => /^(packages|apps)\//.test(source.path) && !source.isTest && !isGenerated(source);

const listExportedTypes = (source: SourceFile): ExportedType[] => {
  const { path, lineAt } = source;
  const found: ExportedType[] = [];
  source.visit({
    ExportNamedDeclaration: ({ declaration }) => {
      const { type = '', id, start = 0 } = (declaration ?? {}) as Partial<Declaration>;
      if (TYPE_DECLARATIONS.has(type) && id?.name !== undefined) found.push({ name: id.name, path, line: lineAt(start) });
    },
  });
  return found;
};

/** Reports unused exceptions of this rule, which would later permit something unintended. */
const listIdleExceptions = (repeated: ReadonlySet<string>): RuleFinding[] =>
  Object.keys(repeatedNames)
    .filter((name) => !repeated.has(name))
    .map((name) => ({ path: 'tools/rules/type-names.ts', says: `${name} is exported once; remove its exception` }));

/** Checks that one file exports each type name, so that a name has one meaning. Tests, fixtures and generated files are exempt. */
export const checkTypeNames: ProjectRule = (tree) => {
  const byName = Map.groupBy(tree.sources.filter(isProduct).flatMap(listExportedTypes), ({ name }) => name);
  const repeated = [...byName].filter(([, types]) => types.length > 1);
  const findings = repeated
    .filter(([name]) => !Object.hasOwn(repeatedNames, name))
    .flatMap(([name, types]) =>
      types.map(({ path, line }) => {
        const others = types.filter((type) => type.path !== path).map((type) => type.path);
        return { path, line, says: `exports the type ${name}, as ${others.join(', ')} does; rename one or import it` };
      }),
    );
  return [...findings, ...listIdleExceptions(new Set(repeated.map(([name]) => name)))];
};
