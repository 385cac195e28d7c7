import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createEgress } from '@svc/egress/create-egress.ts';
import { writtenAddress } from '@svc/egress/names/written-address.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';
import type { AnchorSettings } from '../../settings/anchor-settings.ts';
import type { Anchor } from './anchoring/anchor.ts';
import type { AnchoringDeps } from './anchoring/anchor-log.ts';
import { newAnchorMeter } from './anchoring/anchor-meter.ts';
import { newBucketAnchor } from './anchoring/places/bucket.ts';
import { newEndpointAnchor } from './anchoring/places/endpoint.ts';
import { newFileAnchor } from './anchoring/places/file.ts';
import { newWitnessAnchor } from './anchoring/places/witness.ts';
import { runAnchors } from './anchoring/run-anchors.ts';
import { type LogsStand, watchLogs } from './watch-logs.ts';

export type OpenAnchoringDeps = Omit<AnchoringDeps, 'everySeconds'> & {
  readonly settings: {
    readonly anchors: AnchorSettings;
    readonly egress: { readonly allowCidrs: readonly string[]; readonly nameServers: readonly string[] };
  };
  readonly clock: () => Date;
  readonly watchEveryMs: number;
};

/** Identifies an anchor of its kind without disclosing its address. */
const called = (kind: string, address: string): string => `${kind}:${sha256Hex(address).slice(0, 12)}`;

export type Anchoring = { readonly metrics: readonly Metric[]; readonly stand: () => LogsStand; readonly stop: () => Promise<void> };

/**
 * Anchors checkpoints at the configured anchors, and watches the status of logs, until stopped. Anchors are called even while egress for
 * agents is off.
 */
export const openAnchoring = ({ settings, clock, watchEveryMs, ...deps }: OpenAnchoringDeps): Anchoring => {
  const { file, url, bucket, witnesses, everySeconds } = settings.anchors;
  const addresses = [
    ...(url === undefined ? [] : [url]),
    ...(bucket === undefined ? [] : [bucket.url]),
    ...witnesses.map((witness) => witness.url),
  ];
  const egress = createEgress({
    allowRealEgress: true,
    allowCidrs: [...settings.egress.allowCidrs, ...addresses.flatMap(writtenAddress)],
    nameServers: settings.egress.nameServers,
    timeoutMs: LIMITS.anchors.timeoutMs,
    responseMaxBytes: LIMITS.anchors.responseBytesMax,
    readsAtOnce: true,
    asText: true,
  });
  const nowMs = () => clock().getTime();
  const anchors: readonly Anchor[] = [
    ...(file === undefined ? [] : [newFileAnchor(called('file', file), file)]),
    ...(url === undefined ? [] : [newEndpointAnchor(called('endpoint', url.split('?')[0] ?? url), url, egress)]),
    ...(bucket === undefined ? [] : [newBucketAnchor(called('bucket', bucket.url), { bucket, egress, clock })]),
    ...witnesses.map((witness) => newWitnessAnchor(`witness:${witness.key.name}`, { witness, egress, nowMs })),
  ];
  const names = anchors.map(({ name }) => name);
  const meter = newAnchorMeter(names);
  const running = runAnchors({ ...deps, everySeconds }, anchors, meter);
  const watch = watchLogs({ ...deps, anchors: names, everyMs: watchEveryMs, nowMs });
  return {
    metrics: [...meter.metrics, ...watch.metrics],
    stand: watch.stand,
    stop: async () => {
      await Promise.all([running.stop(), watch.stop(), egress.close()]);
    },
  };
};
