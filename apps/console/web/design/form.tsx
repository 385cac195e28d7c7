import type { ReactNode } from 'react';
import { type FormProps, PlainForm } from './plain-form.tsx';
import { StepUp } from '../people/second-factors/step-up.tsx';

/** A form that asks for a fresh proof where what it sends needs one, and then sends the same again. */
export const Form = <Body,>(props: FormProps<Body>): ReactNode => <PlainForm {...props} proof={(again) => <StepUp onDone={again} />} />;
