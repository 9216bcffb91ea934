import './style/index.css'
import { render } from 'preact'
import { leaveKeysToInputMethod } from './input-method.ts'
import { keepFocus } from './keep-focus.ts'
import { App } from './parts/app.tsx'

render(<App />, document.body)
keepFocus()
leaveKeysToInputMethod()
