import { NativeSelect, Textarea } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { client, type OperationBody } from '../../data/client.ts';
import { useEnvironments } from '../../data/environments.ts';
import { findFault } from '../../data/faults.ts';
import { may } from '../../data/permissions.ts';
import { getEnvironmentOptions } from '../../data/scope-options.ts';
import type { Session } from '../../data/session.ts';
import { usePages } from '../../data/use-pages.ts';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Button } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';

type Import = OperationResult<'getToolImport'>;

const PARENT = { name: 'Tools', path: buildConsolePath('tools') };

const COLUMNS: readonly Column<Import>[] = [
  { name: 'Title', show: ({ title }) => <bdi>{title}</bdi> },
  { name: 'Source', show: ({ source }) => <code>{source}</code> },
  { name: 'Format', show: ({ format }) => format },
  { name: 'New', show: ({ counts }) => counts.NEW, isNumber: true },
  { name: 'Changed', show: ({ counts }) => counts.CHANGED, isNumber: true },
  { name: 'Unchanged', show: ({ counts }) => counts.UNCHANGED, isNumber: true },
  { name: 'Gone', show: ({ counts }) => counts.GONE, isNumber: true },
  { name: 'Imported', show: ({ created_at }) => <Time at={created_at} /> },
];

const ImportForm = ({ onMade }: { readonly onMade: (id: string) => void }): ReactNode => {
  const environments = useEnvironments() ?? [];
  return (
    <Form
      submit="Import"
      send={({ environment_id = '', source = '', address = '', document: text = '' }) =>
        client.request('createToolImport', {
          body: { environment_id, source, ...(address === '' ? { document: text } : { address }) } as OperationBody<'createToolImport'>,
        })
      }
      then={({ id }) => onMade(id)}
      fields={(error) => (
        <>
          <NativeSelect name="environment_id" label="Environment" data={getEnvironmentOptions(environments)} />
          <TextField
            error={error}
            name="source"
            label="Source"
            description="Short name, the first part of the tools' names"
            placeholder="payments"
          />
          <TextField
            error={error}
            name="address"
            label="Address of the document"
            placeholder="https://api.example.com/openapi.json"
            required={false}
            maxLength={2000}
          />
          <Textarea
            name="document"
            label="Or the document"
            description="OpenAPI, GraphQL schema or Postman collection"
            rows={6}
            error={findFault(error, 'document')}
          />
        </>
      )}
    />
  );
};

/** Imported API descriptions, whose operations become tools. */
export const ToolImports = ({ session }: { readonly session: Session }): ReactNode => {
  const list = usePages('listToolImports', {});
  const [, navigate] = useLocation();
  const add = may(session, 'tool:create') ? (
    <DialogButton label="Import a document" isPrimary>
      {() => <ImportForm onMade={(importId) => navigate(buildConsolePath('toolImport', { importId }))} />}
    </DialogButton>
  ) : null;
  return (
    <ConsolePage title="Imports" parent={PARENT} actions={add}>
      <ListTable
        label="Imports"
        list={list}
        columns={COLUMNS}
        pathOf={({ id }) => buildConsolePath('toolImport', { importId: id })}
        empty="No documents yet. Import an API description to create its tools."
        emptyAction={
          <Button component="a" variant="default" href="/docs/guides/import-tools">
            Guide
          </Button>
        }
      />
    </ConsolePage>
  );
};
