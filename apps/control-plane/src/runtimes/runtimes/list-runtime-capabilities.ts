import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { RuntimeKindRow } from '@svc/runtimes/kind.ts';
import { RUNTIME_KIND_ROWS } from '@svc/runtimes/kinds.ts';
import type { RuntimesDeps } from '../deps.ts';

const describe = ({ kind, products, ceiling, needs, capabilities, inspection }: RuntimeKindRow) => ({
  ...{ kind, ceiling, connects: inspection.by === 'instance', products: [...products] },
  needs: needs({}).map(({ name, otherwise, livesMs }) => ({
    ...{ evidence: name, otherwise_at_most: otherwise, lives_seconds: livesMs === null ? null : livesMs / 1_000 },
  })),
  rows: capabilities.map((row) => ({ ...row, needs: [...row.needs] })),
});

export const listRuntimeCapabilities: Handler<Endpoints['listRuntimeCapabilities'], RuntimesDeps> = () =>
  Object.values<RuntimeKindRow>(RUNTIME_KIND_ROWS).map(describe);
