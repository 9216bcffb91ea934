/** An alert with the service's refusal of a form as a whole. */
export const Refusal = ({ text }: { text: string | undefined }) =>
  text ? (
    <p role="alert" class="refusal">
      {text}
    </p>
  ) : null
