import type { ToolDeclared } from '@svc/contract/tools/declarations.ts';
import { declaredChanges, pickDeclared } from '@svc/domain/tools/declaration/change-declaration.ts';
import { jsonPatch } from '@svc/policy/trial/json-patch.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { keepToolVersion, writeDeclaration } from '@svc/postgres/tools/tool-versions.ts';
import type { StoredTool } from '@svc/postgres/tools/tools.ts';

export type Writing = { readonly tool: StoredTool; readonly after: ToolDeclared; readonly description: string };
type By = { readonly organization_id: string; readonly by: string; readonly now: Date };

/** Puts a declaration in force under the next number, and keeps the previous one. A change of the description alone has no number. */
export const writeChange = async (tx: TenantTransaction, { tool, after, description }: Writing, { organization_id, by, now }: By) => {
  const isDeclared = declaredChanges(tool, after).length > 0;
  const version = tool.declaration_version + (isDeclared ? 1 : 0);
  if (isDeclared) {
    const before = { version_number: tool.declaration_version, declaration: pickDeclared(tool), created_at: tool.created_at };
    await keepToolVersion(tx, organization_id, tool, { ...before, created_by: null });
    await keepToolVersion(tx, organization_id, tool, { version_number: version, declaration: after, created_at: now, created_by: by });
  }
  await writeDeclaration(tx, organization_id, tool.id, { declaration: after, version, description, now });
  return version;
};

/** Members that events report by their changes, and that can be read whole by number; all others are reported before and after. */
const DOCUMENTS: ReadonlySet<string> = new Set(['parameters_schema', 'execution']);

export const formatChange = ({ tool, after, description }: Writing, version: number) => {
  const changes = declaredChanges(tool, after);
  const plain = changes.filter(({ member }) => !DOCUMENTS.has(member));
  const documents = changes.filter(({ member }) => DOCUMENTS.has(member));
  const numbers = (number: number) => (changes.length === 0 ? {} : { declaration_version: number });
  const described = (text: string) => (tool.description === description ? {} : { description: text });
  return {
    before: {
      ...numbers(tool.declaration_version),
      ...described(tool.description),
      ...Object.fromEntries(plain.map(({ member, before }) => [member, before])),
    },
    after: {
      ...numbers(version),
      ...described(description),
      ...Object.fromEntries(plain.map(({ member, after: value }) => [member, value])),
    },
    ...(documents.length === 0
      ? {}
      : { patch: documents.flatMap(({ member, before, after: value }) => jsonPatch({ [member]: before }, { [member]: value })) }),
  };
};
