/** Says at once what the service refused, for a form as a whole. */
export const Refusal = ({ text }: { text: string | undefined }) =>
  text ? (
    <p role="alert" class="refusal">
      {text}
    </p>
  ) : null
