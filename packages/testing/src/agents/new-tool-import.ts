import { newControlClient } from '../people/typed-client.ts';
import { newUlid } from '../records/new-ulid.ts';

type Of = { readonly controlUrl: string; readonly token: string; readonly environment_id: string };

/** A document of three operations, one of which can be no tool; `reading` is the name of the first. */
export const buildDocument = (title: string, url = 'https://service.example/v1', reading = 'list_things'): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title, version: '1' },
    servers: [{ url }],
    paths: {
      '/things': { get: { operationId: reading, responses: {} }, head: { operationId: 'headThings', responses: {} } },
      '/things/{id}': { delete: { operationId: 'deleteThing', responses: {} } },
    },
  });

type Imported = { readonly importId: string; readonly proposalKey: string; readonly source: string; readonly document: string };

/** Creates an import that proposes two tools; returns its id, the unique key of one of them, and its document. */
export const newToolImport = async ({ controlUrl, token, environment_id }: Of, title = 'Things'): Promise<Imported> => {
  const own = newUlid().slice(-12).toLowerCase();
  const [source, proposalKey] = [`s${own}`, `list_${own}`];
  const document = buildDocument(title, 'https://service.example/v1', proposalKey);
  const body = { environment_id, source, document };
  const { id } = await newControlClient(controlUrl, token).createToolImport({ body });
  return { importId: id, proposalKey, source, document };
};
