import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Answer } from '../../client/index.ts'
import { SEARCH_MIN_LENGTH, type Search, useCharacterSearch, useDebounced, useGameSearch } from '../hooks/use-search.ts'
import { Cover } from '../parts/basics.tsx'
import { GameRow } from '../parts/game-row.tsx'
import { Field, type LabelProps } from './field.tsx'

interface ComboboxProps<O> extends LabelProps {
  disabled?: boolean | undefined
  useSearch(text: string): Search<{ results: readonly O[] }>
  drawOption(option: O): ComponentChildren
  onChoose(option: O): void
}

/** A field that searches options as one types. Arrows move through the list, Enter chooses, Escape closes it. */
export function Combobox<O extends { _id: string }>(props: ComboboxProps<O>) {
  const { label, hint, refusal, disabled, useSearch, drawOption, onChoose } = props
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const typed = text.trim()
  const wanted = useDebounced(typed)
  const { found, failure, isCurrent } = useSearch(wanted)
  const options = found?.results ?? []
  const isAnswered = found !== undefined || failure !== undefined
  const isShown = isOpen && isAnswered && typed.length >= SEARCH_MIN_LENGTH

  function choose(option: O) {
    setText('')
    setOpen(false)
    setActive(0)
    input.current?.focus()
    onChoose(option)
  }

  useEffect(() => {
    if (isShown) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [isShown, active])

  function move(event: KeyboardEvent) {
    const moves: Record<string, () => void> = {
      ArrowDown: () => {
        setOpen(true)
        setActive(Math.min(active + 1, options.length - 1))
      },
      ArrowUp: () => setActive(Math.max(active - 1, 0)),
      Enter: () => {
        const option = options[active]
        // The options of an earlier text stay until the options of this text arrive.
        if (isShown && isCurrent && wanted === typed && option !== undefined) choose(option)
      },
      Escape: () => setOpen(false),
    }
    const act = moves[event.key]
    if (act === undefined || (event.key === 'Escape' && !isShown)) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  const message = failure ?? (options.length === 0 ? 'No results' : `${options.length} found`)

  return (
    <Field label={label} hint={hint} refusal={refusal}>
      {(control) => (
        <div class="combobox">
          <input
            {...control}
            ref={input}
            type="text"
            role="combobox"
            autocomplete="off"
            spellcheck={false}
            aria-autocomplete="list"
            aria-expanded={isShown && options.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={isShown && options.length > 0 ? `${id}-${active}` : undefined}
            placeholder="Type a name"
            disabled={disabled}
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value)
              setOpen(true)
              setActive(0)
            }}
            onFocus={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={move}
          />
          <div
            role="listbox"
            id={`${id}-list`}
            aria-label={label}
            class="options popover"
            hidden={!isShown || options.length === 0}
            // The field keeps the focus, or its blur would close the list before the click.
            onPointerDown={(event) => event.preventDefault()}
          >
            {isShown &&
              options.map((option, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys.
                // biome-ignore lint/a11y/useFocusableInteractive: the field points at the active option.
                <div
                  key={option._id}
                  role="option"
                  id={`${id}-${index}`}
                  aria-selected={index === active}
                  onClick={() => choose(option)}
                >
                  {drawOption(option)}
                </div>
              ))}
          </div>
          <p class={isShown && options.length === 0 ? 'options' : 'hidden'} aria-live="polite">
            {isShown ? message : ''}
          </p>
        </div>
      )}
    </Field>
  )
}

interface SearchProps<E> extends LabelProps {
  disabled?: boolean
  onChoose(entry: E): void
}

const TAKE = 8

export const GameSearch = (props: SearchProps<Answer<'GET /games/search'>['results'][number]>) => (
  <Combobox {...props} useSearch={(text) => useGameSearch(text, TAKE)} drawOption={(game) => <GameRow game={game} />} />
)

export const CharacterSearch = (props: SearchProps<Answer<'GET /characters/search'>['results'][number]>) => (
  <Combobox
    {...props}
    useSearch={(text) => useCharacterSearch(text, TAKE)}
    drawOption={({ name, mugShot }) => (
      <span class="row nowrap game-row">
        <Cover src={mugShot} name={name} />
        <span class="game-name">{name}</span>
      </span>
    )}
  />
)
