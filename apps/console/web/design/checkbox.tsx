import './checkbox.css';
import { type CheckboxProps, Checkbox as LibraryCheckbox } from '@mantine/core';
import type { ReactNode } from 'react';

/** A box that is checked or not, with its label. Its style sheet is loaded with it. */
export const Checkbox = (props: CheckboxProps): ReactNode => <LibraryCheckbox {...props} />;
