/** Says at once what the service refused, for a form as a whole. */
export const Refusal = ({ text }: { text: string | undefined }) => (
  <p role="alert" class={text ? 'refusal' : 'hidden'}>
    {text}
  </p>
)
