import { Textarea } from '@mantine/core';
import type { ROUTE_METHODS } from '@svc/contract/tools/tool-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import type { Tool } from './tool.ts';

type Method = (typeof ROUTE_METHODS)[number];
type Route = { readonly mapping: string; readonly method: Method; readonly path: string };

const writeRoute = ({ mapping, method, path }: Route): string => `${mapping} ${method} ${path}`;

/** Reads one route of each line. The service checks them. */
const readRoutes = (text: string): Route[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [mapping = '', method = '', path = ''] = line.split(/\s+/);
      return { mapping, method: method.toUpperCase() as Method, path };
    });

type RoutesProps = { readonly tool: Tool; readonly session: Session; readonly done: (text: string) => void };

/** Requests at a proxy that are decided as calls of the tool. */
export const Routes = ({ tool, session, done }: RoutesProps): ReactNode => {
  const { data } = useOperation('getToolRoutes', { params: { toolId: tool.id } });
  const routes = data?.routes ?? [];
  return (
    <>
      {data !== undefined && routes.length === 0 ? <p>No request at a proxy is decided as a call of this tool.</p> : null}
      <ul className="rows">
        {routes.map((route) => (
          <li key={writeRoute(route)}>
            <code>{writeRoute(route)}</code>
          </li>
        ))}
      </ul>
      {may(session, 'tool:update') && data !== undefined ? (
        <DialogButton label="Edit routes">
          {(close) => (
            <Form
              submit="Save"
              send={({ routes: text = '', reason = '' }) =>
                client.request('setToolRoutes', { params: { toolId: tool.id }, body: { routes: readRoutes(text), reason } })
              }
              then={() => {
                close();
                done('Routes are saved.');
                void refresh('getToolRoutes');
              }}
              fields={(error) => (
                <>
                  <Textarea
                    error={findFault(error, 'routes')}
                    name="routes"
                    label="Routes"
                    description="One in each line: mapping, method and path, such as orders-api GET /orders/{order}."
                    rows={6}
                    defaultValue={routes.map(writeRoute).join('\n')}
                  />
                  <TextField error={error} name="reason" label="Reason" required />
                </>
              )}
            />
          )}
        </DialogButton>
      ) : null}
    </>
  );
};
