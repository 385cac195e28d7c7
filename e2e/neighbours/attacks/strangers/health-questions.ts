import type { Attack } from '../../attack.ts';
import { askWithoutPause } from '../../hostile-client.ts';

/** Health checks are answered without a credential in any situation. */
export const attack: Attack<{ readonly urls: readonly string[] }> = {
  title: 'a stranger asks for whether all is well over 64 connections to both planes',
  prepare: async (scene) => ({ urls: [scene.gatewayUrl, scene.controlUrl] }),
  spend: ({ urls }, signal) => askWithoutPause(urls, 64, 'GET /health/ready HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(8), 8, signal),
};
