import { type Attack, HOSTILE_ADDRESS } from '../../attack.ts';
import { holdConnections } from '../../hostile-client.ts';

type Held = { readonly url: string; readonly request: string };

const begins = (path: string, token: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`;

/** The requests look like work in progress. */
export const attack: Attack<{ readonly held: readonly Held[] }> = {
  title: 'a tenant with two addresses begins a body on 2,200 connections to each plane and ends none',
  longOnly: true,
  prepare: async (scene) => {
    const hostile = await Promise.all([1, 2, 3, 4].map(() => scene.newHostile()));
    return {
      held: hostile.flatMap(({ token, tenant }) => [
        { url: scene.gatewayUrl, request: begins('/gateway/v1/actions', token) },
        { url: scene.controlUrl, request: begins('/v1/workspaces', tenant.token) },
      ]),
    };
  },
  spend: ({ held }, signal) => holdConnections(held, 2_200, [HOSTILE_ADDRESS, '127.0.0.67'], signal),
};
