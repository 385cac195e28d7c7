import type { ComponentProps, MouseEvent, ReactNode } from 'react';

/** Space above or below, as a step of the scale of spaces. */
type Step = 'xs' | 'sm' | 'md';
type Spaced = { readonly mt?: Step; readonly mb?: Step };

const joinClasses = (...names: readonly (string | undefined)[]): string => names.filter((name) => name !== undefined).join(' ');

const spaceData = ({ mt, mb }: Spaced): object => ({ 'data-mt': mt, 'data-mb': mb });

type ButtonLook = Spaced & {
  readonly variant?: 'filled' | 'default' | 'outline' | 'subtle';
  readonly size?: 'sm' | 'xs' | 'compact-sm';
  readonly color?: 'red';
  /** The button waits for a response: it keeps the focus and does nothing. */
  readonly loading?: boolean;
};
type ButtonProps =
  | (ButtonLook & { readonly component?: never } & ComponentProps<'button'>)
  | (ButtonLook & { readonly component: 'a' } & ComponentProps<'a'>);

const preventClick = (event: MouseEvent): void => event.preventDefault();

/** A button, or a link that looks like one. */
export const Button = ({
  variant = 'filled',
  size = 'sm',
  color,
  loading = false,
  mt,
  mb,
  className,
  ...props
}: ButtonProps): ReactNode => {
  const look = {
    className: joinClasses('button', className),
    'data-variant': variant,
    'data-size': size,
    'data-color': color,
    'data-loading': loading || undefined,
    ...spaceData({ mt: mt as Step, mb: mb as Step }),
  };
  if (props.component === 'a') {
    const { component: _, ...link } = props;
    return <a {...link} {...look} />;
  }
  const { component: _, type = 'button', onClick, ...rest } = props;
  const busy = loading ? { 'aria-disabled': true, onClick: preventClick } : { onClick };
  return <button type={type} {...rest} {...busy} {...look} />;
};

type TextProps = Spaced & { readonly size?: 'sm'; readonly c?: 'dimmed'; readonly fw?: 600 } & ComponentProps<'p'>;

/** A paragraph. */
export const Text = ({ size, c, fw, mt, mb, className, ...props }: TextProps): ReactNode => (
  <p
    className={joinClasses('text', className)}
    data-size={size}
    data-color={c}
    data-weight={fw}
    {...spaceData({ mt: mt as Step, mb: mb as Step })}
    {...props}
  />
);

type GroupProps = Spaced & {
  readonly gap?: 'xs' | 'sm' | 'md';
  readonly justify?: 'space-between' | 'flex-end';
  readonly align?: 'end' | 'start';
} & ComponentProps<'div'>;

/** Things side by side, on more lines where they do not fit. */
export const Group = ({ gap, justify, align, mt, mb, className, ...props }: GroupProps): ReactNode => (
  <div
    className={joinClasses('group', className)}
    data-gap={gap}
    data-justify={justify}
    data-align={align}
    {...spaceData({ mt: mt as Step, mb: mb as Step })}
    {...props}
  />
);

type StackProps = Spaced & { readonly gap?: 'xs' | 'sm' | 'md' } & ComponentProps<'div'>;

/** Things below each other. */
export const Stack = ({ gap, mt, mb, className, ...props }: StackProps): ReactNode => (
  <div className={joinClasses('stack', className)} data-gap={gap} {...spaceData({ mt: mt as Step, mb: mb as Step })} {...props} />
);

type TitleProps = Spaced & { readonly order: 1 | 2 | 3; readonly size?: 'h2' | 'h4' | 'h5' } & ComponentProps<'h1'>;

/** A heading of a level, in a size of its own. */
export const Title = ({ order, size, mt, mb, className, ...props }: TitleProps): ReactNode => {
  const Heading = `h${order}` as const;
  return (
    <Heading
      className={joinClasses('heading', className)}
      data-size={size ?? Heading}
      {...spaceData({ mt: mt as Step, mb: mb as Step })}
      {...props}
    />
  );
};

type AnchorProps = { readonly size?: 'sm' } & (
  | ({ readonly component?: never } & ComponentProps<'a'>)
  | ({ readonly component: 'button' } & ComponentProps<'button'>)
);

/** A link within a text, or a button that looks like one. It differs from the text by more than its colour (WCAG 2.2, 1.4.1). */
export const Anchor = ({ size, className, ...props }: AnchorProps): ReactNode => {
  const look = { className: joinClasses('anchor', className), 'data-size': size };
  if (props.component === 'button') {
    const { component: _, ...button } = props;
    return <button {...button} {...look} />;
  }
  const { component: _, ...link } = props;
  return <a {...link} {...look} />;
};
