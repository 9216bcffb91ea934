import './style/index.css'
import { render } from 'preact'
import { App } from './frame/app.tsx'
import { leaveKeysToInputMethod } from './input-method.ts'
import { keepFocus } from './keep-focus.ts'

render(<App />, document.body)
keepFocus()
leaveKeysToInputMethod()
