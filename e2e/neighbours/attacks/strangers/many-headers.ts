import type { Attack } from '../../attack.ts';
import { askWithoutPause } from '../../hostile-client.ts';

const REQUEST = `GET /v1/agents HTTP/1.1\r\nhost: x\r\n${'a:\r\n'.repeat(3_900)}\r\n`;

/** The maximum number of headers within the byte limit. */
export const attack: Attack<{ readonly urls: readonly string[] }> = {
  title: 'a stranger sends 3,900 headers a request over 1,000 connections to both planes',
  prepare: async (scene) => ({ urls: [scene.gatewayUrl, scene.controlUrl] }),
  spend: ({ urls }, signal) => askWithoutPause(urls, 1_000, REQUEST, 1, signal),
};
