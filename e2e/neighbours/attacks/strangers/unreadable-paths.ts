import type { Attack } from '../../attack.ts';
import { askWithoutPause } from '../../hostile-client.ts';

/** Answered before routing, and so before every check of the routes. */
export const attack: Attack<{ readonly urls: readonly string[] }> = {
  title: 'a stranger asks for paths that cannot be read over 64 connections to both planes',
  prepare: async (scene) => ({ urls: [scene.gatewayUrl, scene.controlUrl] }),
  spend: ({ urls }, signal) => askWithoutPause(urls, 64, 'GET /%zz HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(8), 8, signal),
};
