'use client';

import { LoaderCircle } from 'lucide-react';
import { useId, type ComponentProps, type MouseEvent } from 'react';
import { buttonLook, type ButtonLook } from './button-look';
import { classNames } from './class-names';
import { useTooltip } from './tooltip';

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> &
  ButtonLook & {
    /** Work is under way: keeps its width and place, takes no second press. */
    pending?: boolean;
    /**
     * Why it cannot be pressed now. The button stays reachable by keyboard, is announced as unavailable with the
     * reason, and shows the reason on focus, hover and press. Without a reason a button is never disabled.
     */
    disabledReason?: string | undefined;
  };

/** A button. `type` is "button" unless given. */
export function Button({
  look,
  size,
  pending = false,
  disabledReason,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const blocked = disabledReason !== undefined || pending;
  const button = (
    <button
      type="button"
      {...rest}
      onClick={blocked ? swallow : onClick}
      aria-disabled={blocked || undefined}
      aria-busy={pending || undefined}
      className={classNames(buttonLook({ look, size }), className)}
    >
      {pending && <LoaderCircle aria-hidden className="absolute animate-turn" />}
      <span className={classNames('inline-flex min-w-0 items-center gap-1.5', pending && 'invisible')}>
        {children}
      </span>
    </button>
  );
  return disabledReason === undefined ? button : <WithReason reason={disabledReason} button={button} />;
}

function WithReason({
  reason,
  button,
}: {
  reason: string;
  button: React.ReactElement<ComponentProps<'button'>>;
}) {
  const id = useId();
  const { trigger, card, show } = useTooltip(reason, 0);
  return (
    <>
      <button
        {...button.props}
        {...trigger}
        aria-describedby={id}
        // Touch has neither hover nor focus: a press shows the reason.
        onClick={(event) => {
          swallow(event);
          show(event.currentTarget);
        }}
      />
      <span id={id} hidden>
        {reason}
      </span>
      {card}
    </>
  );
}

function swallow(event: MouseEvent<HTMLButtonElement>): void {
  event.preventDefault();
  event.stopPropagation();
}
