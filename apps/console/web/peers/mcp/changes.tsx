import type { McpDefinitionChange } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import type { RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { formatDrawn } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Title } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { Skeleton } from '../../design/skeleton.tsx';

type Word = NonNullable<McpDefinitionChange['words']>[number];

const TITLES = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const;

const WordPart = ({ kind, text }: Word): ReactNode => {
  const shown = formatDrawn(text);
  if (kind === 'added') return <ins>{shown}</ins>;
  return kind === 'removed' ? <del>{shown}</del> : shown;
};

/** The words of a change; of a value without words, the whole value before and after. */
const listWords = ({ words, before, after }: McpDefinitionChange): readonly Word[] =>
  words ?? [
    ...(before === undefined ? [] : [{ kind: 'removed', text: before } as const]),
    ...(after === undefined ? [] : [{ kind: 'added', text: after } as const]),
  ];

/** Compares the authorized definition of a tool with the newest one, word by word. */
export const Changes = ({ params }: { readonly params: RouteParams<'mcpTool'> }): ReactNode => {
  const { data, error } = useOperation('diffMcpTool', { params });
  return (
    <section aria-labelledby="changes-title">
      <Title id="changes-title" order={2} size="h4">
        Changes since the authorization
      </Title>
      <Problem error={error ?? undefined} />
      {data === undefined && !error ? <Skeleton lines={3} /> : null}
      {data?.changes.length === 0 ? <p>None that a model reads.</p> : null}
      {data?.changes.map((change) => (
        <div key={`${change.kind} ${change.pointer}`}>
          <p className="quiet">
            {TITLES[change.kind]}: <code>{formatDrawn(change.pointer) || 'the definition'}</code>
          </p>
          <pre className="request">
            {listWords(change).map((word, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the words of one change keep their order
              <WordPart key={at} {...word} />
            ))}
          </pre>
        </div>
      ))}
    </section>
  );
};
