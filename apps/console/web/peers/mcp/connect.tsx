import { getGuidePath } from '@svc/contract/tables/guides.ts';
import type { ReactNode } from 'react';
import { CopyButton } from '../../design/copy-button.tsx';
import { Text, Title } from '../../design/kit.tsx';
import { getClientConfigurations } from './client-configurations.ts';
import type { McpServer } from './server.ts';

/** The address that MCP clients connect to, and what to write into their configurations. */
export const Connect = ({ server }: { readonly server: McpServer }): ReactNode => (
  <section aria-labelledby="connect-title">
    <Title id="connect-title" order={2} size="h4">
      Connect a client
    </Title>
    <Text>
      MCP clients connect to this address with the token of an agent. <a href={getGuidePath('mcp')}>How to get a token</a>
    </Text>
    <pre className="request">{server.endpoint}</pre>
    <CopyButton text={server.endpoint} of="address" otherwise="Select the address and copy it." />
    {getClientConfigurations(server).map(({ client, file, text }) => (
      <details key={client}>
        <summary>
          {client} ({file})
        </summary>
        <pre className="request">{text}</pre>
        <CopyButton text={text} of={`configuration for ${client}`} otherwise="Select the configuration and copy it." />
      </details>
    ))}
  </section>
);
