import { type Attack, HOSTILE_ADDRESS } from '../../attack.ts';
import { holdConnections } from '../../hostile-client.ts';

type Held = { readonly url: string; readonly request: string };

const asks = (path: string, token: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`;

/** Each authenticated once and is idle; together they exceed a plane's maximum. */
export const attack: Attack<{ readonly held: readonly Held[] }> = {
  title: 'a tenant with two addresses shows its credential on 2,200 connections to each plane and asks nothing more',
  longOnly: true,
  prepare: async (scene) => {
    const { token, tenant } = await scene.newHostile();
    return {
      held: [
        { url: scene.gatewayUrl, request: asks('/gateway/v1/actions/act_01ARZ3NDEKTSV4RRFFQ69G5FAV', token) },
        { url: scene.controlUrl, request: asks('/v1/workspaces', tenant.token) },
      ],
    };
  },
  spend: ({ held }, signal) => holdConnections(held, 2_200, [HOSTILE_ADDRESS, '127.0.0.67'], signal),
};
