import { useEffect, useRef, useState } from 'preact/hooks'
import { useDebounced } from '../hooks/use-search.ts'
import { route, setQuery } from '../route.ts'
import { Select, TextField } from './field.tsx'

interface FilterProps {
  label: string
  parameter: string
}

/** A text that filters a list: it stands in the address once the typing has paused, and follows the address. */
export function FilterField({ label, parameter, placeholder }: FilterProps & { placeholder?: string }) {
  const addressed = route.value.query.get(parameter) ?? ''
  const [text, setText] = useState(addressed)
  const typed = useDebounced(text.trim())
  const written = useRef(addressed)

  useEffect(() => {
    if (addressed !== written.current) setText(addressed)
    else if (typed !== addressed) setQuery({ [parameter]: typed, page: undefined })
    written.current = route.peek().query.get(parameter) ?? ''
  }, [typed, addressed])

  return <TextField label={label} type="search" placeholder={placeholder} value={text} onInput={setText} />
}

const NONE = 'all'

interface FilterSelectProps extends FilterProps {
  value: string | undefined
  names: Readonly<Record<string, string>>
  all?: string
}

export const FilterSelect = ({ label, parameter, value, names, all = 'All' }: FilterSelectProps) => (
  <Select
    label={label}
    value={value ?? NONE}
    options={[{ value: NONE, name: all }, ...Object.entries(names).map(([value, name]) => ({ value, name }))]}
    onChange={(next) => setQuery({ [parameter]: next === NONE ? undefined : next, page: undefined })}
  />
)
