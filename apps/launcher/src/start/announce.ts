import { isIP } from 'node:net';
import path from 'node:path';
import type { StartedService } from './start-service.ts';

/** Describes the running service for a person, in the order of need. */
export const describeService = (
  { controlUrl, gatewayUrl, audience, setupUrl, sandboxOrigin, hasOutbox, settings, warnings }: StartedService,
  tookMs: number,
): string => {
  const rows = [
    ['Control plane', controlUrl],
    ['Gateway', gatewayUrl],
    ...(audience === gatewayUrl ? [] : [['Agents sign for', audience]]),
    ['To look around', `${controlUrl}/docs`],
    ['First steps', 'docs/guides/first-governed-tool.md'],
    ['Data folder', settings.dataDir],
    ['Logs', path.join(settings.dataDir, '*.log')],
    ['Sandbox receiver', sandboxOrigin],
    ...(hasOutbox ? [['Mails', `${controlUrl}/outbox, or npm run ops -- outbox`]] : []),
    ...(setupUrl === undefined ? [] : [['First set-up', `${setupUrl} (works once)`]]),
  ] as const;
  const lines = rows.map(([name, value]) => `  ${name?.padEnd(18)}${value}`);
  const open = isOpenToOthers(settings.host)
    ? [`  HOST is ${settings.host}: other machines can reach both planes, without encryption unless a proxy adds it.`]
    : [];
  return [
    `Ready after ${(tookMs / 1000).toFixed(1)} s.`,
    ...lines,
    ...open,
    ...warnings.map((sentence) => `  ${sentence}`),
    'Stop with Ctrl-C.',
  ].join('\n');
};

const isOpenToOthers = (host: string): boolean => isIP(host) !== 0 && !host.startsWith('127.') && host !== '::1';
