import type { ReactNode } from 'react';
import type { ApiError } from '../../data/answer.ts';
import { EmailField, TextField } from '../../design/fields.tsx';
import { NewPasswordField } from '../../design/secret-fields.tsx';

/** The fields of a new organization and its owner. */
export const FounderFields = ({ error }: { readonly error: ApiError | undefined }): ReactNode => (
  <>
    <TextField error={error} name="organizationName" label="Organization" autoComplete="organization" />
    <TextField error={error} name="name" label="Your name" autoComplete="name" />
    <EmailField error={error} />
    <NewPasswordField error={error} />
  </>
);
