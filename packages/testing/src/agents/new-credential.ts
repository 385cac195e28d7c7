import { mustCall } from '../people/client.ts';
import { newUlid } from '../records/new-ulid.ts';

type Of = { readonly controlUrl: string; readonly token: string; readonly environment_id: string };

/** Creates a credential for a tool `x` and an unreachable destination. */
export const newCredential = async (
  { controlUrl, token, environment_id }: Of,
  more: object = {},
): Promise<{ readonly credentialId: string }> => {
  const place = { name: `Credential ${newUlid()}`, environment_id, destinations: ['service.example'], tools: ['x'] };
  const body = { ...place, scheme: 'BEARER', secret: `secret-${newUlid()}`, ...more };
  const { id } = await mustCall(controlUrl, 'POST', '/v1/credentials', { token, body });
  return { credentialId: id };
};
