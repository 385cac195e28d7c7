import type { Egress } from '@svc/egress/create-egress.ts';
import type { Anchor } from '../anchor.ts';
import { callPlace, describeUnexpectedStatus, isAnswer } from './call.ts';

/** An HTTP endpoint that receives each checkpoint as a signed note, and confirms it with status 2xx. */
export const newEndpointAnchor = (name: string, url: string, egress: Egress): Anchor => ({
  name,
  place: async ({ organizationId, note }) => {
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    const said = await callPlace(egress, { method: 'POST', url, headers, body: note, tenant: organizationId });
    if (!isAnswer(said)) return said;
    return said.status >= 200 && said.status < 300 ? { kind: 'placed' } : describeUnexpectedStatus(said.status);
  },
});
