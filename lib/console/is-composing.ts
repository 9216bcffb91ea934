/** Whether a key belongs to an input method, also the one that ends it: Safari tells that only by its code. */
export const isComposing = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === 229
