import type { ReactNode } from 'react';
import { formatDrawn } from '../../data/shown-json.ts';
import { Title } from '../../design/kit.tsx';
import { getDefinitionParts } from './definition-text.ts';
import type { McpFinding } from './server.ts';
import { Severity } from './status.tsx';

type DefinitionProps = { readonly definition: unknown; readonly findings: readonly McpFinding[] };

/** A definition as models get it, with the findings marked in it. */
export const Definition = ({ definition, findings }: DefinitionProps): ReactNode => (
  <section aria-labelledby="definition-title">
    <Title id="definition-title" order={2} size="h4">
      Definition
    </Title>
    <pre className="request">
      {getDefinitionParts(definition, findings).map(({ text, finding }, at) =>
        finding === undefined ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one definition keep their order
          <mark key={at} title={finding.explanation}>
            {text}
          </mark>
        ),
      )}
    </pre>
  </section>
);

/** The findings of a definition, the most severe first as the service returns them, each with its place and the reason. */
export const FindingList = ({ findings }: Pick<DefinitionProps, 'findings'>): ReactNode => (
  <section aria-labelledby="findings-title">
    <Title id="findings-title" order={2} size="h4">
      Findings
    </Title>
    {findings.length === 0 ? (
      <p>None. That is no proof that the definition is harmless: read it.</p>
    ) : (
      <ul className="findings">
        {findings.map((finding) => (
          <li key={`${finding.kind} ${finding.pointer} ${finding.start}`}>
            <Severity severity={finding.severity} /> {finding.explanation} {finding.stops ? 'It cannot be authorized.' : ''}
            <p className="quiet">
              <code>{formatDrawn(finding.pointer)}</code>: <bdi>{finding.excerpt}</bdi>
            </p>
          </li>
        ))}
      </ul>
    )}
  </section>
);
