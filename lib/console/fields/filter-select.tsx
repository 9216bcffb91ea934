import { setQuery } from '../route.ts'
import { Select } from './select.tsx'

const NONE = 'all'

interface FilterSelectProps {
  label: string
  /** The parameter of the address that holds the filter. */
  parameter: string
  /** Left out where the list is not filtered. */
  value: string | undefined
  names: Readonly<Record<string, string>>
  /** The name of the option that does not filter. */
  all?: string
}

/** A filter of a list, kept in the address. A change goes back to the first page. */
export const FilterSelect = ({ label, parameter, value, names, all = 'All' }: FilterSelectProps) => (
  <Select
    label={label}
    value={value ?? NONE}
    options={[{ value: NONE, name: all }, ...Object.entries(names).map(([value, name]) => ({ value, name }))]}
    onChange={(next) => setQuery({ [parameter]: next === NONE ? undefined : next, page: undefined })}
  />
)
