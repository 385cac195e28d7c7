import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { SETTING_TABLE } from '@svc/contract/tables/settings.ts';
import { loadAll } from 'js-yaml';

const root = path.resolve(import.meta.dirname, '../..');
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

type Container = {
  readonly name: string;
  readonly args: readonly string[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly readinessProbe?: { readonly httpGet: { readonly path: string } };
};
type Pod = {
  readonly containers: readonly Container[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly terminationGracePeriodSeconds?: number;
};
type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: { readonly spec: Pod; readonly metadata: { readonly labels: Readonly<Record<string, string>> } };
    readonly selector?: unknown;
  };
};

const render = (folder: string): readonly Manifest[] => {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', path.join(root, folder)], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return loadAll(stdout) as Manifest[];
};

/** Checks a manifest against the schema of the Kubernetes API. */
const validate = async (manifest: Manifest): Promise<void> => {
  const module = (await import(`kubernetes-models/${manifest.apiVersion}/${manifest.kind}`)) as Record<
    string,
    new (
      data: object,
    ) => { validate(): void }
  >;
  const Model = module[manifest.kind];
  assert.ok(Model, manifest.kind);
  new Model(manifest).validate();
};

const PROGRAMS = ['control-plane', 'gateway', 'worker'];

describe('the connector of deploy/kubernetes', () => {
  const manifests = loadAll(readFileSync(path.join(root, 'deploy/kubernetes/connector/connector.yaml'), 'utf8')) as Manifest[];

  test('matches the schemas of the Kubernetes API', async () => {
    for (const manifest of manifests) await validate(manifest);
  });

  test('runs without privileges, and gets no secret of the service', () => {
    const pod = manifests.find(({ kind }) => kind === 'Deployment')?.spec?.template?.spec;
    const [container] = pod?.containers ?? [];
    assert.equal(pod?.securityContext.runAsNonRoot, true);
    assert.deepEqual(container?.securityContext, {
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    });
    assert.equal(/governance-programs|governance-owner|envFrom/.test(JSON.stringify(pod)), false);
  });
});

for (const folder of ['deploy/kubernetes', 'deploy/kubernetes/overlays/example'])
  describe(`${folder} rendered by kubectl`, { skip: hasKubectl ? false : 'kubectl is not installed' }, () => {
    let manifests: readonly Manifest[];
    before(() => {
      manifests = render(folder);
    });
    const listPods = () =>
      manifests.flatMap(({ kind, metadata, spec }) => (spec?.template ? [{ kind, name: metadata.name, pod: spec.template.spec }] : []));

    test('matches the schemas of the Kubernetes API', async () => {
      for (const manifest of manifests) await validate(manifest);
      const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'x' }, spec: { maxUnavailable: {} } };
      await assert.rejects(validate(budget as Manifest));
    });

    test('runs each program once, and the migration as a job', () => {
      assert.deepEqual(
        listPods()
          .map(({ kind, pod }) => [kind, ...(pod.containers[0]?.args ?? [])])
          .sort(),
        [
          ['Deployment', 'control-plane'],
          ['Deployment', 'gateway'],
          ['Deployment', 'worker'],
          ['Job', 'ops', 'migrate', '--grant', 'governance_programs'],
        ],
      );
    });

    test('containers have a read-only root, no privileges and no account of the cluster', () => {
      for (const { name, pod } of listPods()) {
        assert.equal(pod.securityContext.runAsNonRoot, true, name);
        for (const { securityContext } of pod.containers)
          assert.deepEqual(
            securityContext,
            { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
            name,
          );
      }
    });

    test('each program has probes, a disruption budget and a network policy', () => {
      for (const program of PROGRAMS) {
        const pod = listPods().find(({ name }) => name === program)?.pod;
        assert.equal(pod?.containers[0]?.readinessProbe?.httpGet.path, '/health/ready');
        assert.ok(manifests.some(({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === program));
      }
      assert.ok(manifests.some(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'deny-all'));
    });

    test('sets only settings that exist, and contains no secret', () => {
      const settings = manifests.filter(({ kind }) => kind === 'ConfigMap').flatMap(({ data }) => Object.keys(data ?? {}));
      assert.ok(settings.length > 5);
      assert.deepEqual(
        settings.filter((name) => !(name in SETTING_TABLE)),
        [],
      );
      const secret = new Set(Object.entries(SETTING_TABLE).flatMap(([name, setting]) => ('secret' in setting ? [name] : [])));
      assert.deepEqual(
        settings.filter((name) => secret.has(name)),
        [],
      );
      assert.equal(
        manifests.some(({ kind }) => kind === 'Secret'),
        false,
      );
    });
  });
