within ModelicaServices;
package ExternalReferences "Files that come with libraries"
  function loadResource "The path of a file that a URI or a path names"
    extends Modelica.Utilities.Internal.PartialModelicaServices.ExternalReferences.PartialLoadResource;
    external "C" fileReference = takt_load_resource(uri);
    annotation(Documentation(info = "<html>
<p>takt resolves the name when it flattens the model.</p>
</html>"));
  end loadResource;
end ExternalReferences;
