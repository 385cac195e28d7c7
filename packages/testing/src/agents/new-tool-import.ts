import { mustCall } from '../people/client.ts';
import { newUlid } from '../records/new-ulid.ts';

type Of = { readonly controlUrl: string; readonly token: string; readonly environment_id: string };

/** A document of three operations, of which one can be no tool. */
export const documentOf = (title: string, url = 'https://service.example/v1'): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title, version: '1' },
    servers: [{ url }],
    paths: {
      '/things': { get: { operationId: 'listThings', responses: {} }, head: { operationId: 'headThings', responses: {} } },
      '/things/{id}': { delete: { operationId: 'deleteThing', responses: {} } },
    },
  });

/** An import that proposes two tools, with the key of one of them. */
export const newToolImport = async (
  { controlUrl, token, environment_id }: Of,
  title = 'Things',
): Promise<{ readonly importId: string; readonly proposalKey: string; readonly source: string }> => {
  const source = `s${newUlid().slice(-12).toLowerCase()}`;
  const body = { environment_id, source, document: documentOf(title) };
  const { id } = await mustCall(controlUrl, 'POST', '/v1/tool-imports', { token, body });
  return { importId: id, proposalKey: 'list_things', source };
};
